import { tierLabels } from "#contract/tiers.ts";
import { after, MINUTE } from "#server/base/clock.ts";
import { idFor } from "#server/db/id.ts";
import { periodEnd } from "#server/purchases/periods.ts";
import { agreedRenewal } from "#server/purchases/rules.ts";
import { graceAhead, graceEnd, graceTime, lastTry, nextTry, startOfPaid } from "#server/subscriptions/rules.ts";
import type { PastAttempt, PastPurchase } from "./rows.ts";
import { type Card, networkNumberOf, type Student } from "./student.ts";

const declinedReason = "Your last payment was declined. Please update your payment method.";

export const withoutDunning = {
  ...{ paymentDeclined: false, declinedSince: null, reopenedUntil: null, declinedForGood: false },
} as const;

/** Keeps the course open shortly before a paid period ends, as the renewal sweep would. */
export function keepOpenForRenewal(student: Student, purchase: PastPurchase): void {
  const { paidUntil } = purchase;
  if (!paidUntil || (purchase.graceFrom && purchase.graceFrom >= paidUntil)) return;
  const now = nextSweep(after(paidUntil, -graceAhead));
  purchase.graceFrom = paidUntil;
  keepOpen(student, purchase, after(paidUntil, graceTime), paidUntil.toISOString(), now);
}

/** Charges what is due to the stored card, or to a new one. Returns whether it was paid. */
export function renewSubscription(
  student: Student,
  purchase: PastPurchase,
  now: Date,
  { result, card }: { result: "approved" | "declined" | "declined-for-good"; card?: Card },
): boolean {
  const attempt = student.send(purchase, "renewal", now, { ...(card && { card }), result });
  const at = attempt.resolvedAt ?? now;
  purchase.lastPaymentAttempt = now;
  if (card) student.lastSeenAt = now;
  if (result === "approved") completeRenewal(student, purchase, attempt, card ?? null, at);
  else if (!card) recordRefusal(student, purchase, attempt, result === "declined-for-good", at);
  return result === "approved";
}

/** Puts the account on hold after a card that can never be charged again. */
export function holdForPayment(student: Student, purchase: PastPurchase, occasion: string, now: Date): void {
  Object.assign(purchase, { subscriptionStatus: "on_hold", paymentDeclined: true, nextBillingDate: null });
  student.setStatus("on_hold", declinedReason, now);
  student.endGrants(purchase, "grace", "on hold", now);
  student.write("on-hold", occasion, now, { ...duesOf(purchase), ...student.linkTo(purchase, now) });
}

/** Records that administrators were told of a renewal that is unpaid for a week. */
export function noteUnpaid(purchase: PastPurchase): void {
  purchase.unpaidToldFor = purchase.paidUntil;
}

export function cancelSubscription(student: Student, purchase: PastPurchase, now: Date): void {
  const isOpen = purchase.paidUntil !== null && purchase.paidUntil > now;
  stopRenewal(student, purchase, "cancelled", now);
  if (!isOpen) student.forgetCard(purchase);
  const facts = { planName: tierLabels[purchase.tier], accessUntil: isOpen ? purchase.paidUntil : null };
  student.write("cancelled", `${purchase.id}:${now.toISOString()}`, now, facts);
  student.lastSeenAt = now;
}

export function resumeSubscription(student: Student, purchase: PastPurchase, now: Date): void {
  const { paidUntil } = purchase;
  Object.assign(purchase, { subscriptionStatus: "active", nextBillingDate: paidUntil, cancelledAt: null });
  const facts = { ...duesOf(purchase), nextPaymentAt: paidUntil ?? now };
  student.write("resumed", `${purchase.id}:${now.toISOString()}`, now, facts);
  student.lastSeenAt = now;
}

export function stopRenewal(student: Student, purchase: PastPurchase, reason: string, now: Date): void {
  const wasHeld = isOnHold(purchase);
  Object.assign(purchase, {
    subscriptionStatus: "cancelled",
    nextBillingDate: null,
    cancelledAt: now,
    ...withoutDunning,
  });
  student.endGrants(purchase, "grace", reason, now);
  if (wasHeld && student.user.accountStatus === "on_hold") student.setStatus("active", null, now);
}

function completeRenewal(
  student: Student,
  purchase: PastPurchase,
  attempt: PastAttempt,
  card: Card | null,
  now: Date,
): void {
  const charges = student.attempts.filter(
    ({ purchaseId, state }) => purchaseId === purchase.id && state === "approved",
  );
  const startsAt = startOfPaid(attempt, charges);
  const paidUntil = periodEnd(purchase.tier, startsAt);
  const wasHeld = isOnHold(purchase) && student.user.accountStatus === "on_hold";
  Object.assign(purchase, {
    paidUntil,
    nextBillingDate: paidUntil,
    subscriptionStatus: "active",
    ...withoutDunning,
  } satisfies Partial<PastPurchase>);
  if (card) {
    student.forgetCard(purchase);
    Object.assign(purchase, {
      cardKeptBy: attempt.reference,
      isCardKept: true,
      networkTransactionId: networkNumberOf(attempt.reference),
      cardBrand: card.brand,
      cardLast4: card.last4,
    } satisfies Partial<PastPurchase>);
  }
  student.endGrants(purchase, "grace", "renewed", now);
  student.grant("renewal", attempt.id, purchase, { startsAt, endsAt: paidUntil }, now);
  const payment = receiptOf(purchase, attempt);
  if (wasHeld) {
    student.setStatus("active", null, now);
    const { planName } = payment;
    const facts = { planName, nextPaymentAt: paidUntil, accessUntil: paidUntil, payment };
    student.write("back-again", attempt.id, now, facts);
    return;
  }
  student.write("renewed", attempt.id, now, { ...payment, paidUntil: paidUntil ?? now, nextPaymentAt: paidUntil });
}

function recordRefusal(
  student: Student,
  purchase: PastPurchase,
  attempt: PastAttempt,
  forGood: boolean,
  now: Date,
): void {
  const wasDeclined = purchase.declinedSince !== null;
  const { reopenedUntil } = purchase;
  const declinedSince = purchase.declinedSince ?? attempt.sentAt;
  const next = reopenedUntil === null ? nextTry(declinedSince, now, forGood ? "for-good" : "declined") : null;
  Object.assign(purchase, {
    paymentDeclined: true,
    declinedSince,
    declinedForGood: forGood,
    nextBillingDate: next,
  } satisfies Partial<PastPurchase>);
  if (next === null) {
    holdForPayment(student, purchase, attempt.id, now);
    return;
  }
  const openUntil = graceEnd(
    { currentPeriodEnd: purchase.paidUntil ?? now, graceFrom: purchase.graceFrom, reopenedUntil },
    declinedSince,
    forGood,
  );
  if (!wasDeclined) {
    student.endGrants(purchase, "grace", "refused", now);
    if (openUntil > now) keepOpen(student, purchase, openUntil, `declined:${attempt.id}`, now);
  }
  student.write("declined", attempt.id, now, {
    ...duesOf(purchase),
    nextTryAt: forGood ? null : next,
    finalAt: lastTry(declinedSince, forGood),
    openUntil: openUntil > now ? openUntil : null,
    ...student.linkTo(purchase, now),
  });
}

export function keepOpen(student: Student, purchase: PastPurchase, until: Date, occasion: string, now: Date): void {
  const startsAt = purchase.paidUntil !== null && purchase.paidUntil > now ? purchase.paidUntil : now;
  student.grant("grace", idFor(purchase.id, occasion), purchase, { startsAt, endsAt: until }, now);
}

export function receiptOf(purchase: PastPurchase, attempt: PastAttempt) {
  return {
    planName: tierLabels[purchase.tier],
    amountCents: attempt.amount,
    paidAt: attempt.sentAt,
    card: { brand: attempt.brand, last4: attempt.last4 },
    transactionId: null,
    receiptId: attempt.id,
  };
}

function duesOf(purchase: PastPurchase) {
  return { planName: tierLabels[purchase.tier], amountCents: agreedRenewal(purchase) };
}

export function nextSweep(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / MINUTE) * MINUTE);
}

function isOnHold({ subscriptionStatus, paymentDeclined }: PastPurchase): boolean {
  return subscriptionStatus === "on_hold" && paymentDeclined;
}
