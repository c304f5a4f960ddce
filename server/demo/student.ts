import { hash } from "node:crypto";
import { decimalAmount } from "#contract/money.ts";
import { renewalConsent } from "#contract/purchases/purchases.ts";
import { type Tier, tierLabels, tierRank } from "#contract/tiers.ts";
import { computeAccess, endOf, type Grant, hasOpened } from "#server/access/rules.ts";
import type { GrantSource, grantEnds, grants } from "#server/access/tables.ts";
import { differences } from "#server/admin/acting.ts";
import { after, DAY, HOUR, MINUTE, SECOND } from "#server/base/clock.ts";
import { idFor } from "#server/db/id.ts";
import { studentEmails } from "#server/emails/student-emails.ts";
import { deleted, type User } from "#server/identity/users.ts";
import { invoiceOf } from "#server/payments/invoices.ts";
import { periodEnd } from "#server/purchases/periods.ts";
import {
  graceAhead,
  graceEnd,
  graceTime,
  lastTry,
  nextTry,
  reactivationTime,
  renewalStart,
} from "#server/subscriptions/rules.ts";
import type { Chance } from "./chance.ts";
import type { History, LedgerEntry, PastAttempt, PastDiscrepancy, PastPurchase, PastRefund } from "./rows.ts";

/** A plan as it is sold. Price in cents. */
export interface PlanOnSale {
  readonly id: string;
  readonly name: string;
  readonly tier: Tier;
  readonly price: number;
}

export interface Card {
  readonly brand: string;
  readonly last4: string;
  /** "YYYY-MM" */
  readonly expiry: string;
  readonly zip: string;
}

type GrantRow = typeof grants.$inferSelect;
type EmailKind = keyof typeof studentEmails;
/** What is said; which card page a link leads to stands in the row of the link. */
type EmailFacts<Kind extends EmailKind> = Omit<Parameters<(typeof studentEmails)[Kind]["write"]>[1], "cardPageOf">;

const settlesAtHour = 22;
const linkTime = 30 * DAY;
const declinedReason = "Your last payment was declined. Please update your payment method.";
const declinedMessage = "Your card was declined. Please try another card or ask your bank.";
const reader = { firstName: null, publicUrl: "", supportEmail: "" };

/**
 * A student of the past with every row that their life leaves: each function writes what its namesake in the domains
 * writes, by the domains' own rules. Call them in the order of time.
 */
export class Student {
  readonly user: User;
  readonly subject: string;
  readonly chance: Chance;
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
  readonly #statuses: { readonly status: string; readonly at: Date }[] = [];
  readonly #address: string;
  #ids = 0;

  constructor(
    person: Pick<User, "firstName" | "lastName" | "email" | "phone" | "location" | "bio"> & { readonly id: string },
    joinedAt: Date,
    chance: Chance,
  ) {
    this.chance = chance;
    this.subject = idFor(person.id, "subject");
    this.#address = chance.pick(["192.0.2", "198.51.100", "203.0.113"]).concat(`.${chance.whole(1, 254)}`);
    this.lastSeenAt = joinedAt;
    const emailVerified = chance.happens(0.96);
    const emailVerifiedAt = emailVerified ? after(joinedAt, chance.between(40, 900) * SECOND) : null;
    this.user = {
      ...person,
      emailVerified,
      emailVerifiedAt,
      profileImageUrl: null,
      hasPurchasedCourse: false,
      purchasedTier: null,
      accountStatus: "active",
      suspensionReason: null,
      sessionsEndedAt: null,
      createdAt: joinedAt,
      updatedAt: emailVerifiedAt ?? joinedAt,
    };
  }

  /** A checkout. Null when the card is declined. */
  buy(plan: PlanOnSale, card: Card, now: Date, { isDeclined = false } = {}): PastPurchase | null {
    const purchase = this.#pendingPurchase(plan, now);
    if (isDeclined) Object.assign(purchase, { status: "declined", statusMessage: declinedMessage });
    this.purchases.push(purchase);
    const attempt = this.#send(purchase, "initial", now, { card, result: isDeclined ? "declined" : "approved" });
    this.lastSeenAt = now;
    if (isDeclined) return null;
    this.#complete(purchase, attempt, card);
    return purchase;
  }

  #pendingPurchase(plan: PlanOnSale, now: Date): PastPurchase {
    const consent = { version: renewalConsent.version, at: now.toISOString(), address: this.#address };
    return {
      id: this.newId(),
      userId: this.user.id,
      planId: plan.id,
      tier: plan.tier,
      amount: plan.price,
      status: "pending",
      statusMessage: null,
      subscriptionId: null,
      isRecurring: false,
      nextBillingDate: null,
      subscriptionStatus: "active",
      paymentDeclined: false,
      lastPaymentAttempt: now,
      paidUntil: null,
      graceFrom: null,
      declinedSince: null,
      declinedForGood: false,
      cancelledAt: null,
      unpaidToldFor: null,
      networkTransactionId: null,
      cardBrand: null,
      cardLast4: null,
      consent: plan.tier === "basic" ? consent : null,
      completedAt: null,
      createdAt: now,
      paidBy: null,
      cardKeptBy: null,
      isCardKept: false,
    };
  }

  #complete(purchase: PastPurchase, attempt: PastAttempt, card: Card): void {
    const { tier } = purchase;
    const isRecurring = tier === "basic";
    const paidAt = attempt.resolvedAt ?? attempt.sentAt;
    const endsAt = periodEnd(tier, paidAt);
    Object.assign(purchase, {
      status: "completed",
      networkTransactionId: networkNumberOf(attempt.reference),
      cardBrand: card.brand,
      cardLast4: card.last4,
      isRecurring,
      completedAt: paidAt,
      paidBy: attempt.reference,
      ...(isRecurring && { paidUntil: endsAt, nextBillingDate: endsAt, subscriptionId: this.newId() }),
      ...(isRecurring && { cardKeptBy: attempt.reference, isCardKept: true }),
    } satisfies Partial<PastPurchase>);
    const replaced = this.purchases.filter((one) => one !== purchase && this.#renews(one));
    for (const other of replaced) {
      this.#stopRenewal(other, "another plan took its place", paidAt);
      this.#forgetCard(other);
    }
    this.#grant("purchase", purchase.id, purchase, { startsAt: paidAt, endsAt }, paidAt);
    if (!isRecurring && endsAt) this.#scheduleReminders(endsAt, paidAt);
    this.#write("purchased", purchase.id, paidAt, {
      ...this.#receiptOf(purchase, attempt),
      tier,
      accessUntil: endsAt,
      nextPaymentAt: isRecurring ? endsAt : null,
      replacedPlan: replaced[0] ? tierLabels[replaced[0].tier] : null,
    });
  }

  /** What the sweep of every minute does shortly before a paid period ends. */
  keepOpenForRenewal(purchase: PastPurchase): void {
    const { paidUntil } = purchase;
    if (!paidUntil || (purchase.graceFrom && purchase.graceFrom >= paidUntil)) return;
    const now = nextSweep(after(paidUntil, -graceAhead));
    purchase.graceFrom = paidUntil;
    this.#keepOpen(purchase, after(paidUntil, graceTime), paidUntil.toISOString(), now);
  }

  /** Charges what is due to the kept card, or to another one that the student gives. True when it was paid. */
  renew(
    purchase: PastPurchase,
    now: Date,
    { result, card }: { result: "approved" | "declined" | "declined-for-good"; card?: Card },
  ): boolean {
    const attempt = this.#send(purchase, "renewal", now, { ...(card && { card }), result });
    const at = attempt.resolvedAt ?? now;
    purchase.lastPaymentAttempt = now;
    if (card) this.lastSeenAt = now;
    if (result === "approved") this.#completeRenewal(purchase, attempt, card ?? null, at);
    else if (!card) this.#recordRefusal(purchase, attempt, result === "declined-for-good", at);
    return result === "approved";
  }

  /** The day on which a card that can never be charged again is given up. */
  holdForPayment(purchase: PastPurchase, occasion: string, now: Date): void {
    Object.assign(purchase, { subscriptionStatus: "on_hold", paymentDeclined: true, nextBillingDate: null });
    this.#setStatus("on_hold", declinedReason, now);
    this.#endGrants(purchase, "grace", "on hold", now);
    this.#write("on-hold", occasion, now, { ...this.#dues(purchase), ...this.#linkTo(purchase, now) });
  }

  /** A declined renewal is a week old: the administrators were told of it. */
  noteUnpaid(purchase: PastPurchase): void {
    purchase.unpaidToldFor = purchase.paidUntil;
  }

  cancel(purchase: PastPurchase, now: Date): void {
    const isOpen = purchase.paidUntil !== null && purchase.paidUntil > now;
    this.#stopRenewal(purchase, "cancelled", now);
    if (!isOpen) this.#forgetCard(purchase);
    const facts = { planName: tierLabels[purchase.tier], accessUntil: isOpen ? purchase.paidUntil : null };
    this.#write("cancelled", `${purchase.id}:${now.toISOString()}`, now, facts);
    this.lastSeenAt = now;
  }

  resume(purchase: PastPurchase, now: Date): void {
    const { paidUntil } = purchase;
    Object.assign(purchase, { subscriptionStatus: "active", nextBillingDate: paidUntil, cancelledAt: null });
    const facts = { ...this.#dues(purchase), nextPaymentAt: paidUntil ?? now };
    this.#write("resumed", `${purchase.id}:${now.toISOString()}`, now, facts);
    this.lastSeenAt = now;
  }

  /** The day on which nothing is open any more, where nobody ended it. */
  expire(now: Date): void {
    const last = this.#ledgerOfAccess().toSorted((one, other) => endTime(other) - endTime(one))[0];
    for (const purchase of this.purchases) this.#forgetCard(purchase);
    this.#touch(now);
    if (!last?.endsAt || last.endedAt !== null) return;
    this.#write("expired", last.id, now, { planName: tierLabels[last.tier], endedAt: last.endsAt });
  }

  hold(purchase: PastPurchase, actor: string, reason: string, now: Date): void {
    this.#audited(actor, "hold account", reason, now, () => {
      Object.assign(purchase, { subscriptionStatus: "on_hold", nextBillingDate: null });
      this.#setStatus("on_hold", reason, now);
      const facts = { planName: tierLabels[purchase.tier], reason };
      this.#write("held", `${purchase.id}:${now.toISOString()}`, now, facts);
    });
  }

  suspend(actor: string, reason: string, now: Date): void {
    this.#audited(actor, "suspend account", reason, now, () => {
      this.#setStatus("suspended", reason, now);
      this.#write("suspended", now.toISOString(), now, { reason });
    });
  }

  reactivate(actor: string, reason: string, now: Date): void {
    this.#audited(actor, "reactivate account", reason, now, () => {
      this.#setStatus("active", null, now);
      for (const purchase of this.purchases.filter((one) => this.#renews(one))) {
        const { paidUntil } = purchase;
        const earliest = after(now, reactivationTime);
        const isOver = paidUntil === null || paidUntil <= now;
        const nextBillingDate = isOver ? earliest : paidUntil;
        Object.assign(purchase, { subscriptionStatus: "active", nextBillingDate, ...cleared });
        if (!isOver) continue;
        purchase.graceFrom = earliest;
        this.#keepOpen(purchase, after(earliest, reactivationTime), `reactivated:${now.toISOString()}`, now);
      }
      const subscription = this.purchases.find((one) => this.#renews(one));
      this.#write("back-again", now.toISOString(), now, {
        planName: subscription ? tierLabels[subscription.tier] : null,
        nextPaymentAt: subscription?.nextBillingDate ?? null,
        accessUntil: this.accessAt(now).until,
        payment: null,
      });
    });
  }

  /** A tier as a gift. */
  give(tier: Tier, endsAt: Date, actor: string, reason: string, now: Date): void {
    this.#audited(actor, "change tier", reason, now, () => {
      const higher = this.#ledgerOfAccess().filter((grant) => tierRank(grant.tier) > tierRank(tier));
      this.#endAll(higher, "an administrator changed the tier", now);
      const of = { id: null, tier };
      this.#grant("administrator", this.newId(), of, { startsAt: now, endsAt, reason }, now);
    });
  }

  signOutEverywhere(actor: string, reason: string, now: Date): void {
    this.user.sessionsEndedAt = now;
    const change = { before: { sessions: this.chance.whole(2, 5) }, after: { sessions: 0 } };
    this.#note(actor, "sign out everywhere", this.user.id, change, reason, now);
  }

  /** All of a purchase's newest charge when no amount is named; that ends what it opened. */
  refund(purchase: PastPurchase, actor: string, reason: string, now: Date, amountCents?: number): void {
    const charge = this.#lastCharge(purchase);
    const isWhole = amountCents === undefined;
    const amount = amountCents ?? charge.amount;
    const isSettled = now >= nextSettlement(charge.sentAt);
    const reference = this.newId();
    const resolvedAt = after(now, this.chance.whole(500, 1900));
    const refund: PastRefund = {
      id: this.newId(),
      purchaseId: purchase.id,
      attemptId: charge.id,
      userId: this.user.id,
      kind: isSettled ? "refund" : "void",
      amount,
      endsAccess: isWhole,
      reference,
      invoiceNumber: this.newId(),
      state: "returned",
      cause: null,
      actor,
      reason,
      note: null,
      sentAt: now,
      resolvedAt,
      checkedAt: null,
      madeBy: isSettled ? reference : charge.reference,
    };
    this.refunds.push(refund);
    this.#giveBackAtGateway(refund, charge.reference);
    if (isWhole) this.#endPurchase(purchase, "refunded", resolvedAt);
    this.#tellOfRefund(refund, purchase, charge, resolvedAt);
    const { id: refundId, attemptId: chargeId, kind, endsAccess } = refund;
    const change = { after: { refundId, chargeId, kind, amount: decimalAmount(amount), endsAccess } };
    this.#note(actor, "refund purchase", purchase.id, change, reason, now);
  }

  #giveBackAtGateway({ kind, reference, sentAt, amount, invoiceNumber }: PastRefund, refundOf: string): void {
    if (kind === "refund") {
      this.ledger.push({
        refId: reference,
        at: sentAt.toISOString(),
        amountCents: amount,
        invoiceNumber: invoiceNumber ?? "",
        result: "approved",
        refundOf,
      });
    } else this.#changeEntry(refundOf, { result: "voided" });
  }

  #tellOfRefund(refund: PastRefund, purchase: PastPurchase, charge: PastAttempt, at: Date): void {
    const { tier, until } = this.accessAt(at);
    this.#write("refunded", refund.id, at, {
      planName: tierLabels[purchase.tier],
      amountCents: refund.amount,
      paidCents: charge.amount,
      refundedAt: at,
      card: { brand: charge.brand, last4: charge.last4 },
      transactionId: null,
      kind: refund.kind,
      endsAccess: refund.endsAccess,
      accessAfter: { tier, until },
    });
  }

  /** The bank takes the newest charge back; the comparison of the books sees it, and an administrator ends the access. */
  dispute(purchase: PastPurchase, actor: string, foundAt: Date, now: Date): void {
    const charge = this.#lastCharge(purchase);
    this.#changeEntry(charge.reference, { result: "chargeback" });
    const reason = "the payment was charged back";
    this.#endPurchase(purchase, reason, now);
    const refund: PastRefund = {
      id: this.newId(),
      purchaseId: purchase.id,
      attemptId: charge.id,
      userId: this.user.id,
      kind: "refund",
      amount: charge.amount,
      endsAccess: true,
      reference: this.newId(),
      invoiceNumber: null,
      state: "returned",
      cause: null,
      actor,
      reason,
      note: null,
      sentAt: now,
      resolvedAt: now,
      checkedAt: null,
      madeBy: charge.reference,
    };
    this.refunds.push(refund);
    const found: PastDiscrepancy = {
      id: this.newId(),
      kind: "disputed",
      attemptId: charge.id,
      purchaseId: purchase.id,
      userId: this.user.id,
      subjectId: null,
      detail: null,
      expected: charge.amount,
      found: charge.amount,
      foundAt,
      claimedAt: null,
      resolvedAt: now,
      resolution: "Recorded as refunded, access ended",
      resolvedBy: actor,
      chargedBy: charge.reference,
    };
    this.discrepancies.push(found);
    const { tier, until } = this.accessAt(now);
    const facts = { planName: tierLabels[purchase.tier], amountCents: charge.amount, accessAfter: { tier, until } };
    this.#write("payment-lost", refund.id, now, { ...facts, cause: "charged-back" });
    const before = { ...found, claimedAt: now, resolvedAt: null, resolution: null, resolvedBy: null };
    this.#note(actor, "repair disputed", found.id, { before, after: { action: "end-access" } }, null, now);
  }

  /** Deletes the account, by the student or by an administrator. */
  leave(actor: string | null, now: Date): void {
    const before = this.#snapshot(now);
    for (const purchase of this.purchases) {
      if (this.#renews(purchase)) this.#stopRenewal(purchase, "the account was deleted", now);
      if (purchase.cardKeptBy) this.#changeEntry(purchase.cardKeptBy, { forgotten: "customer" });
      if (purchase.consent) purchase.consent = { ...purchase.consent, address: "" };
    }
    for (const attempt of this.attempts) attempt.clientHash = null;
    Object.assign(this.user, {
      email: `deleted-${this.user.id}@deleted.invalid`,
      emailVerified: false,
      firstName: null,
      lastName: null,
      phone: null,
      location: null,
      bio: null,
      accountStatus: deleted,
      suspensionReason: null,
      sessionsEndedAt: now,
      updatedAt: now,
    } satisfies Partial<User>);
    this.isDeleted = true;
    if (actor === null) return;
    const change = differences(before, this.#snapshot(now));
    this.#note(actor, "delete account", this.user.id, change, "asked for it by mail", now);
  }

  accessAt(now: Date) {
    return computeAccess(this.#ledgerOfAccess(), now);
  }

  /** The tier that was in use then; null when there was none, or when the account was blocked. */
  tierInUse(then: Date): Tier | null {
    const status = this.#statuses.findLast(({ at }) => at <= then)?.status ?? "active";
    return status === "active" ? this.accessAt(then).tier : null;
  }

  /** Makes what the user's row carries of the ledger what it gives at `now`. */
  refreshAccess(now: Date): void {
    const access = this.#ledgerOfAccess();
    this.user.purchasedTier = computeAccess(access, now).tier;
    this.user.hasPurchasedCourse = hasOpened(access, now);
  }

  newId(): string {
    this.#ids += 1;
    return idFor(this.user.id, String(this.#ids));
  }

  #renews(purchase: PastPurchase): boolean {
    return purchase.isRecurring && purchase.status === "completed" && purchase.subscriptionStatus !== "cancelled";
  }

  #send(
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
      amount: purchase.amount,
      state: isApproved ? "approved" : "declined",
      cause: isApproved ? null : "bank",
      responseCode: isApproved ? "1" : "2",
      reasonCode,
      avs: "Y",
      cvv: kind === "initial" ? "M" : "P",
      last4: card ? (isApproved ? card.last4 : null) : purchase.cardLast4,
      brand: isApproved ? (card?.brand ?? purchase.cardBrand) : null,
      clientHash: card ? hash("sha256", this.#address, "base64url") : null,
      note: null,
      sentAt: now,
      resolvedAt: after(now, this.chance.whole(600, 2400)),
      checkedAt: null,
      keepsCard: kind === "renewal" && card !== undefined,
    };
    this.attempts.push(attempt);
    this.#chargeAtGateway(purchase, attempt, card);
    return attempt;
  }

  #chargeAtGateway(purchase: PastPurchase, attempt: PastAttempt, card: Card | undefined): void {
    const { email, firstName, lastName } = this.user;
    const isApproved = attempt.state === "approved";
    this.ledger.push({
      refId: attempt.reference,
      at: attempt.sentAt.toISOString(),
      amountCents: attempt.amount,
      invoiceNumber: attempt.invoiceNumber,
      description: `Academy: ${tierLabels[purchase.tier]}${attempt.kind === "renewal" ? ", 30 days" : ""}`,
      result: isApproved ? "approved" : "declined",
      reasonCode: attempt.reasonCode ?? "",
      ...(isApproved && { networkTransId: networkNumberOf(attempt.reference) }),
      ...(card
        ? { card, customer: { id: this.user.id, email, firstName: firstName ?? "", lastName: lastName ?? "" } }
        : { keptBy: purchase.cardKeptBy ?? "" }),
      ...(card && isApproved && purchase.tier === "basic" && { keepsCard: true }),
    });
  }

  #completeRenewal(purchase: PastPurchase, attempt: PastAttempt, card: Card | null, now: Date): void {
    const startsAt = renewalStart(attempt.renewsFrom ?? attempt.sentAt, attempt.sentAt);
    const paidUntil = periodEnd(purchase.tier, startsAt);
    const wasHeld = isOnHold(purchase) && this.user.accountStatus === "on_hold";
    Object.assign(purchase, {
      paidUntil,
      nextBillingDate: paidUntil,
      subscriptionStatus: "active",
      ...cleared,
    } satisfies Partial<PastPurchase>);
    if (card) {
      this.#forgetCard(purchase);
      Object.assign(purchase, {
        cardKeptBy: attempt.reference,
        isCardKept: true,
        networkTransactionId: networkNumberOf(attempt.reference),
        cardBrand: card.brand,
        cardLast4: card.last4,
      } satisfies Partial<PastPurchase>);
    }
    this.#endGrants(purchase, "grace", "renewed", now);
    this.#grant("renewal", attempt.id, purchase, { startsAt, endsAt: paidUntil }, now);
    const payment = this.#receiptOf(purchase, attempt);
    if (wasHeld) {
      this.#setStatus("active", null, now);
      const { planName } = payment;
      const facts = { planName, nextPaymentAt: paidUntil, accessUntil: paidUntil, payment };
      this.#write("back-again", attempt.id, now, facts);
      return;
    }
    this.#write("renewed", attempt.id, now, { ...payment, paidUntil: paidUntil ?? now, nextPaymentAt: paidUntil });
  }

  #recordRefusal(purchase: PastPurchase, attempt: PastAttempt, forGood: boolean, now: Date): void {
    const wasDeclined = purchase.declinedSince !== null;
    const declinedSince = purchase.declinedSince ?? attempt.sentAt;
    const next = nextTry(declinedSince, now, forGood ? "for-good" : "declined");
    Object.assign(purchase, {
      paymentDeclined: true,
      declinedSince,
      declinedForGood: forGood,
      nextBillingDate: next,
    } satisfies Partial<PastPurchase>);
    if (next === null) {
      this.holdForPayment(purchase, attempt.id, now);
      return;
    }
    const openUntil = graceEnd(
      { currentPeriodEnd: purchase.paidUntil ?? now, graceFrom: purchase.graceFrom },
      declinedSince,
      forGood,
    );
    if (!wasDeclined) {
      this.#endGrants(purchase, "grace", "refused", now);
      if (openUntil > now) this.#keepOpen(purchase, openUntil, `declined:${attempt.id}`, now);
    }
    this.#write("declined", attempt.id, now, {
      ...this.#dues(purchase),
      nextTryAt: forGood ? null : next,
      finalAt: lastTry(declinedSince, forGood),
      openUntil: openUntil > now ? openUntil : null,
      ...this.#linkTo(purchase, now),
    });
  }

  #endPurchase(purchase: PastPurchase, reason: string, now: Date): void {
    if (purchase.isRecurring) {
      this.#stopRenewal(purchase, reason, now);
      this.#forgetCard(purchase);
    }
    purchase.status = "refunded";
    this.#endGrants(purchase, null, reason, now);
  }

  #stopRenewal(purchase: PastPurchase, reason: string, now: Date): void {
    const wasHeld = isOnHold(purchase);
    Object.assign(purchase, { subscriptionStatus: "cancelled", nextBillingDate: null, cancelledAt: now, ...cleared });
    this.#endGrants(purchase, "grace", reason, now);
    if (wasHeld && this.user.accountStatus === "on_hold") this.#setStatus("active", null, now);
  }

  #forgetCard(purchase: PastPurchase): void {
    if (!purchase.isCardKept || !purchase.cardKeptBy) return;
    purchase.isCardKept = false;
    this.#changeEntry(purchase.cardKeptBy, { forgotten: "card" });
  }

  #keepOpen(purchase: PastPurchase, until: Date, occasion: string, now: Date): void {
    const startsAt = purchase.paidUntil !== null && purchase.paidUntil > now ? purchase.paidUntil : now;
    this.#grant("grace", idFor(purchase.id, occasion), purchase, { startsAt, endsAt: until }, now);
  }

  #grant(
    source: GrantSource,
    sourceId: string,
    of: { readonly id: string | null; readonly tier: Tier },
    when: { readonly startsAt: Date; readonly endsAt: Date | null; readonly reason?: string },
    now: Date,
  ): void {
    const { startsAt, endsAt, reason = null } = when;
    const what = { source, sourceId, purchaseId: of.id, tier: of.tier };
    this.grants.push({ id: this.newId(), userId: this.user.id, ...what, startsAt, endsAt, reason, createdAt: now });
    this.#touch(now);
    const { id: userId } = this.user;
    for (const runAt of [startsAt, endsAt]) {
      if (runAt !== null && runAt > now) {
        this.#schedule("access-changed", { userId }, `${userId}:${runAt.toISOString()}`, runAt, now);
      }
    }
  }

  #endGrants(purchase: PastPurchase, source: GrantSource | null, reason: string, now: Date): void {
    const ofPurchase = this.#ledgerOfAccess().filter((grant) => grant.purchaseId === purchase.id);
    this.#endAll(source ? ofPurchase.filter((grant) => grant.source === source) : ofPurchase, reason, now);
    this.#touch(now);
  }

  #endAll(ending: readonly Grant[], reason: string, now: Date): void {
    for (const grant of ending) {
      const end = endOf(grant);
      if (end !== null && end <= now) continue;
      this.grantEnds.push({ id: this.newId(), grantId: grant.id, endsAt: now, reason, createdAt: now });
    }
  }

  #ledgerOfAccess(): Grant[] {
    const endOfGrant = (id: string) => this.grantEnds.find(({ grantId }) => grantId === id)?.endsAt ?? null;
    return this.grants.map((grant) => ({ ...grant, endedAt: endOfGrant(grant.id) }));
  }

  #scheduleReminders(endsAt: Date, now: Date): void {
    const { id: userId } = this.user;
    for (const days of [30, 7, 1]) {
      const data = { userId, endsAt: endsAt.toISOString(), days };
      this.#schedule("remind-of-end", data, `${userId}:${data.endsAt}:${days}`, after(endsAt, -days * DAY), now);
    }
  }

  #schedule(name: string, data: object, key: string, runAt: Date, now: Date): void {
    if (this.jobs.some((job) => job.name === name && job.key === key)) return;
    const state = { attempts: 0, claimedUntil: null, lastError: null, failedAt: null };
    this.jobs.push({ id: this.newId(), name, data, key, runAt, createdAt: now, ...state });
  }

  /** Does the reminders that fall due by `until`, as their job does. */
  remind(until: Date, price: number): void {
    for (const { name, data, runAt } of this.jobs) {
      const { endsAt, days } = data as { endsAt: string; days: number };
      if (name !== "remind-of-end" || runAt > until || this.isDeleted) continue;
      if (this.accessAt(runAt).until?.toISOString() !== endsAt) continue;
      const facts = { planName: tierLabels.premium, daysLeft: days, endsAt, priceCents: price };
      this.#write("ends-soon", `${endsAt}:${days}`, runAt, facts);
    }
  }

  #write<Kind extends EmailKind>(kind: Kind, occasion: string, now: Date, facts: EmailFacts<Kind>): void {
    const write = studentEmails[kind].write as (by: typeof reader, of: never) => { subject: string };
    const id = idFor(kind, this.user.id, occasion);
    const sentAt = after(now, this.chance.whole(900, 4000));
    this.emails.push({ id, userId: this.user.id, kind, subject: write(reader, facts as never).subject, sentAt });
  }

  #linkTo(purchase: PastPurchase, now: Date): { cardLink: string; cardLinkExpiresAt: string } {
    const expiresAt = after(now, linkTime);
    const tokenHash = hash("sha256", `link ${this.newId()}`, "base64url");
    this.cardLinks.push({ tokenHash, purchaseId: purchase.id, expiresAt, usedAt: null, createdAt: now });
    return { cardLink: "", cardLinkExpiresAt: expiresAt.toISOString() };
  }

  #receiptOf(purchase: PastPurchase, attempt: PastAttempt) {
    return {
      planName: tierLabels[purchase.tier],
      amountCents: attempt.amount,
      paidAt: attempt.sentAt,
      card: { brand: attempt.brand, last4: attempt.last4 },
      transactionId: null,
      receiptId: attempt.id,
    };
  }

  #dues(purchase: PastPurchase) {
    return { planName: tierLabels[purchase.tier], amountCents: purchase.amount };
  }

  #lastCharge(purchase: PastPurchase): PastAttempt {
    const charge = this.attempts.findLast((one) => one.purchaseId === purchase.id && one.state === "approved");
    if (!charge) throw new Error("a purchase that nobody paid has no charge");
    return charge;
  }

  #changeEntry(refId: string, change: Partial<LedgerEntry>): void {
    const at = this.ledger.findIndex((entry) => entry.refId === refId);
    const entry = this.ledger[at];
    if (entry) this.ledger[at] = { ...entry, ...change };
  }

  #setStatus(accountStatus: "active" | "on_hold" | "suspended", suspensionReason: string | null, now: Date): void {
    Object.assign(this.user, { accountStatus, suspensionReason });
    this.#statuses.push({ status: accountStatus, at: now });
    this.#touch(now);
  }

  #touch(now: Date): void {
    if (now > this.user.updatedAt) this.user.updatedAt = now;
  }

  #audited(actor: string, action: string, reason: string, now: Date, change: () => void): void {
    const before = this.#snapshot(now);
    change();
    this.#note(actor, action, this.user.id, differences(before, this.#snapshot(now)), reason, now);
  }

  #snapshot(now: Date): Record<string, unknown> {
    const subscriptions = this.purchases
      .filter(({ isRecurring }) => isRecurring)
      .map(({ subscriptionId, subscriptionStatus, paymentDeclined, nextBillingDate }) => [
        `subscription ${subscriptionId}`,
        { subscriptionStatus, paymentDeclined, nextBillingDate },
      ]);
    const { accountStatus } = this.user;
    return { tier: this.accessAt(now).tier, accountStatus, ...Object.fromEntries(subscriptions) };
  }

  #note(
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

const cleared = { paymentDeclined: false, declinedSince: null, declinedForGood: false } as const;

/** The sweep of renewals that comes first at or after an instant. */
export function nextSweep(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / MINUTE) * MINUTE);
}

function nextSettlement(sentAt: Date): Date {
  const today = new Date(sentAt);
  today.setUTCHours(settlesAtHour, 0, 0, 0);
  return today > sentAt ? today : after(today, 24 * HOUR);
}

/** What the card networks call a charge. */
function networkNumberOf(reference: string): string {
  return `${reference}NET`.toUpperCase();
}

function endTime(grant: Grant): number {
  return endOf(grant)?.getTime() ?? Number.MAX_SAFE_INTEGER;
}

/** Whether a payment opens it again. */
function isOnHold({ subscriptionStatus, paymentDeclined }: PastPurchase): boolean {
  return subscriptionStatus === "on_hold" && paymentDeclined;
}
