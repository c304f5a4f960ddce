import { hash } from "node:crypto";
import { builtInSettings } from "#content/site.ts";
import { type Tier, tierLabels, tierRank } from "#contract/tiers.ts";
import { computeAccess, endOf, type Grant, hasOpened, listContinued, listReplaced } from "#server/access/rules.ts";
import type { GrantSource, grantEnds, grants } from "#server/access/tables.ts";
import { differences } from "#server/audit/audited-action.ts";
import { after, DAY, SECOND } from "#server/base/clock.ts";
import { idFor } from "#server/db/id.ts";
import { studentEmails } from "#server/emails/student-emails.ts";
import type { User } from "#server/identity/users.ts";
import { invoiceOf } from "#server/payments/invoices.ts";
import { type Credit, creditsFor, paidPeriodsOf } from "#server/purchases/quotes/rules.ts";
import { agreedRenewal, givesCredit, isInEffect } from "#server/purchases/rules.ts";
import { brandingOf } from "#server/settings/settings.ts";
import type { History, LedgerEntry, PastAttempt, PastDiscrepancy, PastPurchase, PastRefund } from "./rows.ts";
import type { SeededRandom } from "./seeded-random.ts";

export interface Card {
  readonly brand: string;
  readonly last4: string;
  /** "YYYY-MM" */
  readonly expiry: string;
  readonly zip: string;
}

type GrantRow = typeof grants.$inferSelect;
type EmailKind = keyof typeof studentEmails;
/** The facts of an email, without the card page, which the row of its link has. */
type EmailFacts<Kind extends EmailKind> = Omit<Parameters<(typeof studentEmails)[Kind]["write"]>[1], "cardPageOf">;

const linkTime = 30 * DAY;
const academy = {
  name: "",
  supportEmail: "",
  seller: { name: "", address: [] },
  taxLine: null,
  refundDays: 0,
  branding: brandingOf(builtInSettings),
  publicUrl: "",
};
const reader = { firstName: null, publicUrl: "", academy };

/**
 * Collects every row of a simulated student. Its methods are called in the order of time and follow the rules of the
 * domains.
 */
export class Student {
  readonly user: User;
  readonly subject: string;
  readonly random: SeededRandom;
  isDeleted = false;
  lastSeenAt: Date;
  readonly purchases: PastPurchase[] = [];
  readonly attempts: PastAttempt[] = [];
  readonly refunds: PastRefund[] = [];
  readonly grants: GrantRow[] = [];
  readonly grantEnds: (typeof grantEnds.$inferSelect)[] = [];
  readonly emails: History["emails"][number][] = [];
  readonly cardLinks: History["cardLinks"][number][] = [];
  readonly discrepancies: PastDiscrepancy[] = [];
  readonly audit: History["audit"][number][] = [];
  readonly jobs: History["jobs"][number][] = [];
  readonly ledger: LedgerEntry[] = [];
  private readonly statuses: { readonly status: string; readonly at: Date }[] = [];
  readonly address: string;
  private ids = 0;

  constructor(
    person: Pick<User, "firstName" | "lastName" | "email" | "phone" | "location" | "bio"> & { readonly id: string },
    joinedAt: Date,
    random: SeededRandom,
  ) {
    this.random = random;
    this.subject = idFor(person.id, "subject");
    this.address = random.pick(["192.0.2", "198.51.100", "203.0.113"]).concat(`.${random.whole(1, 254)}`);
    this.lastSeenAt = joinedAt;
    const emailVerified = random.happens(0.96);
    const emailVerifiedAt = emailVerified ? after(joinedAt, random.between(40, 900) * SECOND) : null;
    this.user = {
      ...person,
      emailVerified,
      emailVerifiedAt,
      profileImageUrl: null,
      hasPurchasedCourse: false,
      purchasedTier: null,
      role: null,
      accountStatus: "active",
      suspensionReason: null,
      sessionsEndedAt: null,
      createdAt: joinedAt,
      updatedAt: emailVerifiedAt ?? joinedAt,
    };
  }

  giveBackAtGateway({ kind, reference, sentAt, amount, invoiceNumber }: PastRefund, refundOf: string): void {
    if (kind === "refund") {
      this.ledger.push({
        refId: reference,
        at: sentAt.toISOString(),
        amountCents: amount,
        invoiceNumber: invoiceNumber ?? "",
        result: "approved",
        refundOf,
      });
    } else this.changeEntry(refundOf, { result: "voided" });
  }

  accessAt(now: Date) {
    return computeAccess(this.ledgerOfAccess(), now);
  }

  /** The tier in use at an instant; null without one, and while the account is blocked. */
  tierInUse(then: Date): Tier | null {
    const status = this.statuses.findLast(({ at }) => at <= then)?.status ?? "active";
    return status === "active" ? this.accessAt(then).tier : null;
  }

  /** Updates the cached tier of the user's row to what the ledger gives at `now`. */
  refreshAccess(now: Date): void {
    const access = this.ledgerOfAccess();
    this.user.purchasedTier = computeAccess(access, now).tier;
    this.user.hasPurchasedCourse = hasOpened(access, now);
  }

  newId(): string {
    this.ids += 1;
    return idFor(this.user.id, String(this.ids));
  }

  renews(purchase: PastPurchase): boolean {
    return purchase.isRecurring && purchase.status === "completed" && purchase.subscriptionStatus !== "cancelled";
  }

  send(
    purchase: PastPurchase,
    kind: "initial" | "renewal",
    now: Date,
    { card, result }: { card?: Card; result: "approved" | "declined" | "declined-for-good" },
  ): PastAttempt {
    const renewsFrom = kind === "renewal" ? purchase.paidUntil : null;
    const ofPeriod = this.attempts.filter(
      (one) => one.purchaseId === purchase.id && one.renewsFrom?.getTime() === renewsFrom?.getTime(),
    );
    const declines = ofPeriod.filter(({ state }) => state === "declined").length;
    const id = this.newId();
    const isApproved = result === "approved";
    const reasonCode = isApproved ? "1" : result === "declined" ? "2" : "4";
    const attempt: PastAttempt = {
      id,
      purchaseId: purchase.id,
      userId: this.user.id,
      kind,
      initiatedBy: card ? "student" : "renewal",
      renewsFrom,
      idempotencyKey: card
        ? hash("sha256", `token of ${id}`, "base64url")
        : `renewal:${purchase.id}:${renewsFrom?.toISOString() ?? ""}:${ofPeriod.length}`,
      reference: this.newId(),
      invoiceNumber: renewsFrom ? invoiceOf(purchase.id, renewsFrom, declines) : purchase.id,
      amount: kind === "initial" ? purchase.amount : agreedRenewal(purchase),
      state: isApproved ? "approved" : "declined",
      cause: isApproved ? null : "bank",
      responseCode: isApproved ? "1" : "2",
      reasonCode,
      avs: "Y",
      cvv: kind === "initial" ? "M" : "P",
      last4: card ? (isApproved ? card.last4 : null) : purchase.cardLast4,
      brand: isApproved ? (card?.brand ?? purchase.cardBrand) : null,
      clientHash: card ? hash("sha256", this.address, "base64url") : null,
      note: null,
      sentAt: now,
      resolvedAt: after(now, this.random.whole(600, 2400)),
      checkedAt: null,
      keepsCard: kind === "renewal" && card !== undefined,
    };
    this.attempts.push(attempt);
    this.chargeAtGateway(purchase, attempt, card);
    return attempt;
  }

  private chargeAtGateway(purchase: PastPurchase, attempt: PastAttempt, card: Card | undefined): void {
    const { email, firstName, lastName } = this.user;
    const isApproved = attempt.state === "approved";
    this.ledger.push({
      refId: attempt.reference,
      at: attempt.sentAt.toISOString(),
      amountCents: attempt.amount,
      invoiceNumber: attempt.invoiceNumber,
      description: `${tierLabels[purchase.tier]}${attempt.kind === "renewal" ? ", 30 days" : ""}`,
      result: isApproved ? "approved" : "declined",
      reasonCode: attempt.reasonCode ?? "",
      ...(isApproved && { networkTransId: networkNumberOf(attempt.reference) }),
      ...(card
        ? { card, customer: { id: this.user.id, email, firstName: firstName ?? "", lastName: lastName ?? "" } }
        : { keptBy: purchase.cardKeptBy ?? "" }),
      ...(card && isApproved && purchase.tier === "basic" && { keepsCard: true }),
    });
  }

  forgetCard(purchase: PastPurchase): void {
    if (!purchase.isCardKept || !purchase.cardKeptBy) return;
    purchase.isCardKept = false;
    this.changeEntry(purchase.cardKeptBy, { forgotten: "card" });
  }

  grant(
    source: GrantSource,
    sourceId: string,
    of: { readonly id: string | null; readonly tier: Tier },
    when: { readonly startsAt: Date; readonly endsAt: Date | null; readonly reason?: string },
    now: Date,
  ): void {
    const { startsAt, endsAt, reason = null } = when;
    const what = { source, sourceId, purchaseId: of.id, tier: of.tier };
    this.grants.push({ id: this.newId(), userId: this.user.id, ...what, startsAt, endsAt, reason, createdAt: now });
    this.touch(now);
    const { id: userId } = this.user;
    for (const runAt of [startsAt, endsAt]) {
      if (runAt !== null && runAt > now) {
        this.schedule("access-changed", { userId }, `${userId}:${runAt.toISOString()}`, runAt, now);
      }
    }
  }

  endGrants(purchase: PastPurchase, source: GrantSource | null, reason: string, now: Date): void {
    const ofPurchase = this.ledgerOfAccess().filter((grant) => grant.purchaseId === purchase.id);
    this.endAll(source ? ofPurchase.filter((grant) => grant.source === source) : ofPurchase, reason, now);
    this.touch(now);
  }

  endAll(ending: readonly Grant[], reason: string, now: Date, replacedBy: string | null = null): void {
    for (const grant of ending) {
      const end = endOf(grant);
      if (end !== null && end <= now) continue;
      this.grantEnds.push({ id: this.newId(), grantId: grant.id, endsAt: now, reason, replacedBy, createdAt: now });
    }
  }

  /** The credits for buying a tier at `now`, by the rules of the checkout. */
  creditsFor(tier: Tier, now: Date): Credit[] {
    const returned = new Map<string, number>();
    for (const { attemptId, amount } of this.refunds) returned.set(attemptId, (returned.get(attemptId) ?? 0) + amount);
    const periods = paidPeriodsOf(
      listContinued(this.ledgerOfAccess(), this.grantEnds),
      this.attempts.filter(({ state }) => state === "approved"),
      this.purchases
        .filter(givesCredit)
        .map(({ id, tier, credit }) => ({ id, tier, credit, planName: tierLabels[tier] })),
      returned,
    );
    return creditsFor(tier, periods, now).map(({ openUntil: _openUntil, ...credit }) => credit);
  }

  replaceLowerTiers(purchase: PastPurchase, now: Date): void {
    const lower = this.ledgerOfAccess().filter(
      ({ source, tier }) => source !== "administrator" && tierRank(tier) < tierRank(purchase.tier),
    );
    this.endAll(lower, "a higher plan took its place", now, purchase.id);
  }

  /** Gives back the days that a purchase replaced when it ends. */
  giveBackReplaced(purchase: PastPurchase, now: Date): void {
    for (const { last, end } of listReplaced(this.ledgerOfAccess(), this.grantEnds, purchase.id)) {
      const replaced = this.purchases.find((one) => one.id === last.purchaseId && isInEffect(one));
      if (!replaced || last.endsAt === null || last.source === "grace") continue;
      const from = Math.max(end.endsAt.getTime(), last.startsAt.getTime());
      const endsAt = after(now, last.endsAt.getTime() - from);
      if (endsAt <= now) continue;
      const reason = "the plan that took its place was refunded";
      this.grant("credit-returned", end.id, replaced, { startsAt: now, endsAt, reason }, now);
      if (replaced.isRecurring) replaced.paidUntil = endsAt;
    }
  }

  ledgerOfAccess(): Grant[] {
    const endOfGrant = (id: string) => this.grantEnds.find(({ grantId }) => grantId === id)?.endsAt ?? null;
    return this.grants.map((grant) => ({ ...grant, endedAt: endOfGrant(grant.id) }));
  }

  scheduleReminders(endsAt: Date, now: Date): void {
    const { id: userId } = this.user;
    for (const days of [30, 7, 1]) {
      const data = { userId, endsAt: endsAt.toISOString(), days };
      this.schedule("remind-of-end", data, `${userId}:${data.endsAt}:${days}`, after(endsAt, -days * DAY), now);
    }
  }

  private schedule(name: string, data: object, key: string, runAt: Date, now: Date): void {
    if (this.jobs.some((job) => job.name === name && job.key === key)) return;
    const state = { attempts: 0, claimedUntil: null, lastError: null, failedAt: null, traceparent: null };
    this.jobs.push({ id: this.newId(), name, data, key, runAt, createdAt: now, ...state });
  }

  write<Kind extends EmailKind>(kind: Kind, occasion: string, now: Date, facts: EmailFacts<Kind>): void {
    const write = studentEmails[kind].write as (by: typeof reader, of: never) => { subject: string };
    const id = idFor(kind, this.user.id, occasion);
    const sentAt = after(now, this.random.whole(900, 4000));
    this.emails.push({ id, userId: this.user.id, kind, subject: write(reader, facts as never).subject, sentAt });
  }

  linkTo(purchase: PastPurchase, now: Date): { cardLink: string; cardLinkExpiresAt: string } {
    const expiresAt = after(now, linkTime);
    const tokenHash = hash("sha256", `link ${this.newId()}`, "base64url");
    this.cardLinks.push({ tokenHash, purchaseId: purchase.id, expiresAt, usedAt: null, createdAt: now });
    return { cardLink: "", cardLinkExpiresAt: expiresAt.toISOString() };
  }

  /** Cents that were charged and have not gone back. */
  keptOf({ id }: PastPurchase): number {
    const charges = this.attempts.filter(({ purchaseId, state }) => purchaseId === id && state === "approved");
    const returns = this.refunds.filter(({ purchaseId }) => purchaseId === id);
    const charged = charges.reduce((sum, { amount }) => sum + amount, 0);
    return returns.reduce((left, { amount }) => left - amount, charged);
  }

  lastCharge(purchase: PastPurchase): PastAttempt {
    const charge = this.attempts.findLast((one) => one.purchaseId === purchase.id && one.state === "approved");
    if (!charge) throw new Error("a purchase that nobody paid has no charge");
    return charge;
  }

  changeEntry(refId: string, change: Partial<LedgerEntry>): void {
    const at = this.ledger.findIndex((entry) => entry.refId === refId);
    const entry = this.ledger[at];
    if (entry) this.ledger[at] = { ...entry, ...change };
  }

  setStatus(accountStatus: "active" | "on_hold" | "suspended", suspensionReason: string | null, now: Date): void {
    Object.assign(this.user, { accountStatus, suspensionReason });
    this.statuses.push({ status: accountStatus, at: now });
    this.touch(now);
  }

  touch(now: Date): void {
    if (now > this.user.updatedAt) this.user.updatedAt = now;
  }

  audited(actor: string, action: string, reason: string, now: Date, change: () => void): void {
    const before = this.snapshot(now);
    change();
    this.note(actor, action, this.user.id, differences(before, this.snapshot(now)), reason, now);
  }

  snapshot(now: Date): Record<string, unknown> {
    const subscriptions = this.purchases
      .filter(({ isRecurring }) => isRecurring)
      .map(({ subscriptionId, subscriptionStatus, paymentDeclined, nextBillingDate }) => [
        `subscription ${subscriptionId}`,
        { subscriptionStatus, paymentDeclined, nextBillingDate },
      ]);
    const { accountStatus } = this.user;
    return { tier: this.accessAt(now).tier, accountStatus, ...Object.fromEntries(subscriptions) };
  }

  note(
    actor: string,
    action: string,
    subject: string,
    { before = null, after = null }: { before?: unknown; after?: unknown },
    reason: string | null,
    createdAt: Date,
  ): void {
    this.audit.push({ id: this.newId(), actor, action, subject, before, after, reason, createdAt });
  }
}

/** The card network's id of a charge. */
export function networkNumberOf(reference: string): string {
  return `${reference}NET`.toUpperCase();
}
