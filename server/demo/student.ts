import { hash } from "node:crypto";
import { builtInPlanNames } from "#content/plans.ts";
import { builtInSettings } from "#content/site.ts";
import { computeAccess, endOf, type Grant, hasOpened } from "#server/access/rules.ts";
import type { GrantSource, grantEnds, grants } from "#server/access/tables.ts";
import { after, DAY, SECOND } from "#server/base/clock.ts";
import { idFor } from "#server/db/id.ts";
import { studentEmails } from "#server/emails/student-emails.ts";
import type { User } from "#server/identity/users.ts";
import { sayFor } from "#server/mail/email-texts.ts";
import { invoiceOf } from "#server/payments/invoices.ts";
import { agreedRenewal } from "#server/purchases/rules.ts";
import { brandingOf } from "#server/settings/settings.ts";
import { advance, type SubscriptionEvent } from "#server/subscriptions/rules.ts";
import type { Card, History, LedgerEntry, PastAttempt, PastPurchase, PastRefund, PastSubscription } from "./rows.ts";
import type { SeededRandom } from "./seeded-random.ts";

const academy = {
  name: "",
  supportEmail: "",
  seller: { name: "", address: [] },
  taxLine: null,
  timeZone: "UTC",
  refundDays: 0,
  ...brandingOf(builtInSettings),
  publicUrl: "",
};
const reader = { firstName: null, academy, planNames: builtInPlanNames };

/** Collects every row of a simulated student. Its methods are called in the order of time. */
export class Student {
  readonly user: User;
  readonly subject: string;
  readonly random: SeededRandom;
  lastSeenAt: Date;
  readonly purchases: PastPurchase[] = [];
  readonly subscriptions: PastSubscription[] = [];
  readonly attempts: PastAttempt[] = [];
  readonly refunds: PastRefund[] = [];
  readonly grants: (typeof grants.$inferSelect)[] = [];
  readonly grantEnds: (typeof grantEnds.$inferSelect)[] = [];
  readonly emails: History["emails"][number][] = [];
  readonly audit: History["audit"][number][] = [];
  readonly jobs: History["jobs"][number][] = [];
  readonly ledger: LedgerEntry[] = [];
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

  newId(): string {
    this.ids += 1;
    return idFor(this.user.id, String(this.ids));
  }

  /** Charges a new card for a purchase, or a subscription's card for its next period. */
  charge(purchase: PastPurchase, by: Card | PastSubscription, isApproved: boolean, now: Date): PastAttempt {
    const renewal = "firstCharge" in by ? by : null;
    const card = "firstCharge" in by ? by.card : by;
    const renewsFrom = renewal?.currentPeriodEnd ?? null;
    const tries = this.attempts.filter(({ purchaseId, ...one }) => {
      return purchaseId === purchase.id && one.renewsFrom?.getTime() === renewsFrom?.getTime();
    }).length;
    const id = this.newId();
    const attempt: PastAttempt = {
      id,
      purchaseId: purchase.id,
      userId: this.user.id,
      kind: renewal ? "renewal" : "initial",
      initiatedBy: renewal ? "renewal" : "student",
      renewsFrom,
      idempotencyKey: renewsFrom
        ? `renewal:${purchase.id}:${renewsFrom.toISOString()}:${tries}`
        : hash("sha256", `token of ${id}`, "base64url"),
      reference: this.newId(),
      // Every earlier try of the period was declined.
      invoiceNumber: renewsFrom ? invoiceOf(purchase.id, renewsFrom, tries) : purchase.id,
      amount: renewal ? agreedRenewal(purchase) : purchase.amount,
      state: isApproved ? "approved" : "declined",
      paymentProfileId: null,
      cause: isApproved ? null : "bank",
      responseCode: isApproved ? "1" : "2",
      reasonCode: isApproved ? "1" : "2",
      avs: "Y",
      cvv: renewal ? "P" : "M",
      last4: renewal || isApproved ? card.last4 : null,
      brand: isApproved ? card.brand : null,
      clientHash: renewal ? null : hash("sha256", this.address, "base64url"),
      note: null,
      sentAt: now,
      resolvedAt: after(now, this.random.whole(600, 2400)),
      checkedAt: null,
    };
    this.attempts.push(attempt);
    const { email, firstName, lastName } = this.user;
    const customer = { id: this.user.id, email, firstName: firstName ?? "", lastName: lastName ?? "" };
    this.ledger.push({
      refId: attempt.reference,
      at: now.toISOString(),
      amountCents: attempt.amount,
      invoiceNumber: attempt.invoiceNumber,
      description: `${builtInPlanNames[purchase.tier]}${renewal ? ", 30 days" : ""}`,
      result: isApproved ? "approved" : "declined",
      reasonCode: attempt.reasonCode ?? "",
      ...(isApproved && { networkTransId: networkNumberOf(attempt) }),
      ...(renewal ? { keptBy: renewal.firstCharge.reference } : { card, customer }),
      ...(!renewal && isApproved && purchase.tier === "basic" && { keepsCard: true }),
    });
    return attempt;
  }

  change(subscription: PastSubscription, event: SubscriptionEvent, now: Date): void {
    Object.assign(subscription, advance(subscription, event, now));
  }

  forgetCard(subscription: PastSubscription): void {
    subscription.isCardKept = false;
    this.changeEntry(subscription.firstCharge.reference, { forgotten: "card" });
  }

  changeEntry(refId: string, change: Partial<LedgerEntry>): void {
    const at = this.ledger.findIndex((entry) => entry.refId === refId);
    const entry = this.ledger[at];
    if (entry) this.ledger[at] = { ...entry, ...change };
  }

  grant(
    source: GrantSource,
    sourceId: string,
    of: PastPurchase,
    { startsAt, endsAt }: { readonly startsAt: Date; readonly endsAt: Date | null },
    now: Date,
  ): void {
    const { id: userId } = this.user;
    const what = { source, sourceId, purchaseId: of.id, tier: of.tier, startsAt, endsAt };
    this.grants.push({ id: this.newId(), userId, ...what, reason: null, createdAt: now });
    this.touch(now);
    for (const runAt of [startsAt, endsAt]) {
      if (runAt !== null && runAt > now) {
        this.schedule("access-changed", { userId }, `${userId}:${runAt.toISOString()}`, runAt, now);
      }
    }
  }

  endGrants(
    isEnding: (grant: Grant) => boolean,
    why: { readonly reason: string; readonly replacedBy?: string },
    now: Date,
  ): void {
    for (const grant of this.ledgerOfAccess().filter(isEnding)) {
      const end = endOf(grant);
      if (end !== null && end <= now) continue;
      this.grantEnds.push({
        ...{ id: this.newId(), grantId: grant.id, endsAt: now, replacedBy: null, ...why },
        createdAt: now,
      });
    }
    this.touch(now);
  }

  ledgerOfAccess(): Grant[] {
    const endOfGrant = (id: string) => this.grantEnds.find(({ grantId }) => grantId === id)?.endsAt ?? null;
    return this.grants.map((grant) => ({ ...grant, endedAt: endOfGrant(grant.id) }));
  }

  accessAt(now: Date) {
    return computeAccess(this.ledgerOfAccess(), now);
  }

  /** Updates the cached tier of the user's row to what the ledger gives at `now`. */
  refreshAccess(now: Date): void {
    this.user.purchasedTier = this.accessAt(now).tier;
    this.user.hasPurchasedCourse = hasOpened(this.ledgerOfAccess(), now);
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

  write(
    kind: keyof typeof studentEmails,
    occasion: string,
    now: Date,
    named: { readonly planName: string; readonly amountCents?: number; readonly daysLeft?: number },
  ): void {
    const write = studentEmails[kind].write as (of: never, by: typeof reader, say: never) => { subject: string };
    const { subject } = write({ ...unnamed(now), ...named } as never, reader, sayFor(kind) as never);
    const sentAt = after(now, this.random.whole(900, 4000));
    this.emails.push({ id: idFor(kind, this.user.id, occasion), userId: this.user.id, kind, subject, sentAt });
  }

  setStatus(accountStatus: "active" | "on_hold", suspensionReason: string | null, now: Date): void {
    Object.assign(this.user, { accountStatus, suspensionReason });
    this.touch(now);
  }

  touch(now: Date): void {
    if (now > this.user.updatedAt) this.user.updatedAt = now;
  }
}

/** Facts of emails of which no subject speaks: the year keeps the subjects only. */
function unnamed(at: Date) {
  return {
    ...{ welcome: "", card: { brand: null, last4: null }, transactionId: null, cardLink: "" },
    ...{ receiptId: "", receiptNumber: "" },
    ...{ paidAt: at, paidUntil: at, endsAt: at, endedAt: at, finalAt: at, refundedAt: at },
    ...{ cardLinkExpiresAt: at.toISOString(), accessUntil: null, nextPaymentAt: null, nextTryAt: null },
    ...{ openUntil: null, renewalCents: 0, priceCents: 0, paidCents: 0, replacedPlan: null, coaching: null, lines: [] },
    ...{
      instead: null,
      kind: "refund",
      endsAccess: true,
      stopsRenewal: false,
      accessAfter: { tier: null, until: null },
    },
  };
}

/** The card network's id of a charge. */
export function networkNumberOf({ reference }: Pick<PastAttempt, "reference">): string {
  return `${reference}NET`.toUpperCase();
}
