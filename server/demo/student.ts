import { decimalAmount } from "#contract/money.ts";
import { renewalConsent } from "#contract/purchases/purchases.ts";
import { type Tier, tierLabels, tierRank } from "#contract/tiers.ts";
import { endOf, type Grant } from "#server/access/rules.ts";
import { differences } from "#server/admin/acting.ts";
import { after, HOUR, MINUTE } from "#server/base/clock.ts";
import { idFor } from "#server/db/id.ts";
import { deleted, type User } from "#server/identity/users.ts";
import { periodEnd } from "#server/purchases/periods.ts";
import { totalOf } from "#server/purchases/quotes/rules.ts";
import {
  graceAhead,
  graceEnd,
  graceTime,
  lastTry,
  nextTry,
  reactivationTime,
  renewalStart,
} from "#server/subscriptions/rules.ts";
import type { PastAttempt, PastDiscrepancy, PastPurchase, PastRefund } from "./rows.ts";
import { type Card, networkNumberOf, StudentRecord } from "./student-record.ts";

/** Cents. */
export interface PlanOnSale {
  readonly id: string;
  readonly name: string;
  readonly tier: Tier;
  readonly price: number;
}

const settlesAtHour = 22;
const declinedReason = "Your last payment was declined. Please update your payment method.";
const declinedMessage = "Your card was declined. Please try another card or ask your bank.";

/** Each function writes what its namesake in the domains writes, by their rules. Call them in the order of time. */
export class Student extends StudentRecord {
  /** Null when the card is declined. */
  buy(plan: PlanOnSale, card: Card, now: Date, { isDeclined = false } = {}): PastPurchase | null {
    const purchase = this.#pendingPurchase(plan, now);
    if (isDeclined) Object.assign(purchase, { status: "declined", statusMessage: declinedMessage });
    this.purchases.push(purchase);
    const attempt = this.send(purchase, "initial", now, { card, result: isDeclined ? "declined" : "approved" });
    this.lastSeenAt = now;
    if (isDeclined) return null;
    this.#complete(purchase, attempt, card);
    return purchase;
  }

  #pendingPurchase(plan: PlanOnSale, now: Date): PastPurchase {
    const credits = this.creditsFor(plan.tier, now);
    const { totalCents, creditCents } = totalOf(plan.price, credits);
    const consent = { version: renewalConsent.version, at: now.toISOString(), address: this.address };
    return {
      id: this.newId(),
      userId: this.user.id,
      planId: plan.id,
      tier: plan.tier,
      amount: totalCents,
      credit: creditCents,
      creditFrom: credits,
      quoteId: null,
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
      coaching: null,
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
    const replaced = this.purchases.filter((one) => one !== purchase && this.renews(one));
    for (const other of replaced) {
      this.#stopRenewal(other, "another plan took its place", paidAt);
      this.forgetCard(other);
    }
    this.replaceLowerTiers(purchase, paidAt);
    this.grant("purchase", purchase.id, purchase, { startsAt: paidAt, endsAt }, paidAt);
    if (!isRecurring && endsAt) this.scheduleReminders(endsAt, paidAt);
    this.write("purchased", purchase.id, paidAt, {
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
    const attempt = this.send(purchase, "renewal", now, { ...(card && { card }), result });
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
    this.setStatus("on_hold", declinedReason, now);
    this.endGrants(purchase, "grace", "on hold", now);
    this.write("on-hold", occasion, now, { ...this.#dues(purchase), ...this.linkTo(purchase, now) });
  }

  /** A declined renewal is a week old: the administrators were told of it. */
  noteUnpaid(purchase: PastPurchase): void {
    purchase.unpaidToldFor = purchase.paidUntil;
  }

  cancel(purchase: PastPurchase, now: Date): void {
    const isOpen = purchase.paidUntil !== null && purchase.paidUntil > now;
    this.#stopRenewal(purchase, "cancelled", now);
    if (!isOpen) this.forgetCard(purchase);
    const facts = { planName: tierLabels[purchase.tier], accessUntil: isOpen ? purchase.paidUntil : null };
    this.write("cancelled", `${purchase.id}:${now.toISOString()}`, now, facts);
    this.lastSeenAt = now;
  }

  resume(purchase: PastPurchase, now: Date): void {
    const { paidUntil } = purchase;
    Object.assign(purchase, { subscriptionStatus: "active", nextBillingDate: paidUntil, cancelledAt: null });
    const facts = { ...this.#dues(purchase), nextPaymentAt: paidUntil ?? now };
    this.write("resumed", `${purchase.id}:${now.toISOString()}`, now, facts);
    this.lastSeenAt = now;
  }

  /** The day on which nothing is open any more, where nobody ended it. */
  expire(now: Date): void {
    const last = this.ledgerOfAccess().toSorted((one, other) => endTime(other) - endTime(one))[0];
    for (const purchase of this.purchases) this.forgetCard(purchase);
    this.touch(now);
    if (!last?.endsAt || last.endedAt !== null) return;
    this.write("expired", last.id, now, { planName: tierLabels[last.tier], endedAt: last.endsAt });
  }

  hold(purchase: PastPurchase, actor: string, reason: string, now: Date): void {
    this.audited(actor, "hold account", reason, now, () => {
      Object.assign(purchase, { subscriptionStatus: "on_hold", nextBillingDate: null });
      this.setStatus("on_hold", reason, now);
      const facts = { planName: tierLabels[purchase.tier], reason };
      this.write("held", `${purchase.id}:${now.toISOString()}`, now, facts);
    });
  }

  suspend(actor: string, reason: string, now: Date): void {
    this.audited(actor, "suspend account", reason, now, () => {
      this.setStatus("suspended", reason, now);
      this.write("suspended", now.toISOString(), now, { reason });
    });
  }

  reactivate(actor: string, reason: string, now: Date): void {
    this.audited(actor, "reactivate account", reason, now, () => {
      this.setStatus("active", null, now);
      for (const purchase of this.purchases.filter((one) => this.renews(one))) {
        const { paidUntil } = purchase;
        const earliest = after(now, reactivationTime);
        const isOver = paidUntil === null || paidUntil <= now;
        const nextBillingDate = isOver ? earliest : paidUntil;
        Object.assign(purchase, { subscriptionStatus: "active", nextBillingDate, ...cleared });
        if (!isOver) continue;
        purchase.graceFrom = earliest;
        this.#keepOpen(purchase, after(earliest, reactivationTime), `reactivated:${now.toISOString()}`, now);
      }
      const subscription = this.purchases.find((one) => this.renews(one));
      this.write("back-again", now.toISOString(), now, {
        planName: subscription ? tierLabels[subscription.tier] : null,
        nextPaymentAt: subscription?.nextBillingDate ?? null,
        accessUntil: this.accessAt(now).until,
        payment: null,
      });
    });
  }

  give(tier: Tier, endsAt: Date, actor: string, reason: string, now: Date): void {
    this.audited(actor, "change tier", reason, now, () => {
      const higher = this.ledgerOfAccess().filter((grant) => tierRank(grant.tier) > tierRank(tier));
      this.endAll(higher, "an administrator changed the tier", now);
      const of = { id: null, tier };
      this.grant("administrator", this.newId(), of, { startsAt: now, endsAt, reason }, now);
    });
  }

  signOutEverywhere(actor: string, reason: string, now: Date): void {
    this.user.sessionsEndedAt = now;
    const change = { before: { sessions: this.chance.whole(2, 5) }, after: { sessions: 0 } };
    this.note(actor, "sign out everywhere", this.user.id, change, reason, now);
  }

  /** All of a purchase's newest charge when no amount is named; that ends what it opened. */
  refund(purchase: PastPurchase, actor: string, reason: string, now: Date, amountCents?: number): void {
    const charge = this.lastCharge(purchase);
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
    this.giveBackAtGateway(refund, charge.reference);
    if (isWhole) this.#endPurchase(purchase, "refunded", resolvedAt);
    this.#tellOfRefund(refund, purchase, charge, resolvedAt);
    const { id: refundId, attemptId: chargeId, kind, endsAccess } = refund;
    const change = { after: { refundId, chargeId, kind, amount: decimalAmount(amount), endsAccess } };
    this.note(actor, "refund purchase", purchase.id, change, reason, now);
  }

  #tellOfRefund(refund: PastRefund, purchase: PastPurchase, charge: PastAttempt, at: Date): void {
    const { tier, until } = this.accessAt(at);
    this.write("refunded", refund.id, at, {
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
    const charge = this.lastCharge(purchase);
    this.changeEntry(charge.reference, { result: "chargeback" });
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
    this.write("payment-lost", refund.id, now, { ...facts, cause: "charged-back" });
    const before = { ...found, claimedAt: now, resolvedAt: null, resolution: null, resolvedBy: null };
    this.note(actor, "repair disputed", found.id, { before, after: { action: "end-access" } }, null, now);
  }

  leave(actor: string | null, now: Date): void {
    const before = this.snapshot(now);
    for (const purchase of this.purchases) {
      if (this.renews(purchase)) this.#stopRenewal(purchase, "the account was deleted", now);
      if (purchase.cardKeptBy) this.changeEntry(purchase.cardKeptBy, { forgotten: "customer" });
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
    const change = differences(before, this.snapshot(now));
    this.note(actor, "delete account", this.user.id, change, "asked for it by mail", now);
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
      this.forgetCard(purchase);
      Object.assign(purchase, {
        cardKeptBy: attempt.reference,
        isCardKept: true,
        networkTransactionId: networkNumberOf(attempt.reference),
        cardBrand: card.brand,
        cardLast4: card.last4,
      } satisfies Partial<PastPurchase>);
    }
    this.endGrants(purchase, "grace", "renewed", now);
    this.grant("renewal", attempt.id, purchase, { startsAt, endsAt: paidUntil }, now);
    const payment = this.#receiptOf(purchase, attempt);
    if (wasHeld) {
      this.setStatus("active", null, now);
      const { planName } = payment;
      const facts = { planName, nextPaymentAt: paidUntil, accessUntil: paidUntil, payment };
      this.write("back-again", attempt.id, now, facts);
      return;
    }
    this.write("renewed", attempt.id, now, { ...payment, paidUntil: paidUntil ?? now, nextPaymentAt: paidUntil });
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
      this.endGrants(purchase, "grace", "refused", now);
      if (openUntil > now) this.#keepOpen(purchase, openUntil, `declined:${attempt.id}`, now);
    }
    this.write("declined", attempt.id, now, {
      ...this.#dues(purchase),
      nextTryAt: forGood ? null : next,
      finalAt: lastTry(declinedSince, forGood),
      openUntil: openUntil > now ? openUntil : null,
      ...this.linkTo(purchase, now),
    });
  }

  #endPurchase(purchase: PastPurchase, reason: string, now: Date): void {
    if (purchase.isRecurring) {
      this.#stopRenewal(purchase, reason, now);
      this.forgetCard(purchase);
    }
    purchase.status = "refunded";
    this.endGrants(purchase, null, reason, now);
    this.giveBackReplaced(purchase, now);
  }

  #stopRenewal(purchase: PastPurchase, reason: string, now: Date): void {
    const wasHeld = isOnHold(purchase);
    Object.assign(purchase, { subscriptionStatus: "cancelled", nextBillingDate: null, cancelledAt: now, ...cleared });
    this.endGrants(purchase, "grace", reason, now);
    if (wasHeld && this.user.accountStatus === "on_hold") this.setStatus("active", null, now);
  }

  #keepOpen(purchase: PastPurchase, until: Date, occasion: string, now: Date): void {
    const startsAt = purchase.paidUntil !== null && purchase.paidUntil > now ? purchase.paidUntil : now;
    this.grant("grace", idFor(purchase.id, occasion), purchase, { startsAt, endsAt: until }, now);
  }

  /** Does the reminders that fall due by `until`, as their job does. */
  remind(until: Date, price: number): void {
    for (const { name, data, runAt } of this.jobs) {
      const { endsAt, days } = data as { endsAt: string; days: number };
      if (name !== "remind-of-end" || runAt > until || this.isDeleted) continue;
      if (this.accessAt(runAt).until?.toISOString() !== endsAt) continue;
      const facts = { planName: tierLabels.premium, daysLeft: days, endsAt, priceCents: price };
      this.write("ends-soon", `${endsAt}:${days}`, runAt, facts);
    }
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
}

const cleared = { paymentDeclined: false, declinedSince: null, declinedForGood: false } as const;

export function nextSweep(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / MINUTE) * MINUTE);
}

function nextSettlement(sentAt: Date): Date {
  const today = new Date(sentAt);
  today.setUTCHours(settlesAtHour, 0, 0, 0);
  return today > sentAt ? today : after(today, 24 * HOUR);
}

function endTime(grant: Grant): number {
  return endOf(grant)?.getTime() ?? Number.MAX_SAFE_INTEGER;
}

function isOnHold({ subscriptionStatus, paymentDeclined }: PastPurchase): boolean {
  return subscriptionStatus === "on_hold" && paymentDeclined;
}
