import { builtInSettings } from "#content/site.ts";
import { renewalConsent } from "#contract/purchases/purchases.ts";
import { type Tier, tierLabels } from "#contract/tiers.ts";
import { periodEnd, renews } from "#server/purchases/periods.ts";
import { totalOf } from "#server/purchases/quotes/rules.ts";
import type { PastCoupon } from "./coupons.ts";
import { receiptOf, stopRenewal } from "./renewing.ts";
import type { PastAttempt, PastPurchase } from "./rows.ts";
import { type Card, networkNumberOf, type Student } from "./student.ts";

/** Cents. */
export interface PlanOnSale {
  readonly id: string;
  readonly name: string;
  readonly tier: Tier;
  readonly price: number;
}

const declinedMessage = "Your card was declined. Please try another card or ask your bank.";

/** Buys a plan; null when the card is declined. */
export function buyPlan(
  student: Student,
  plan: PlanOnSale,
  card: Card,
  now: Date,
  { isDeclined = false, coupon = null }: { isDeclined?: boolean; coupon?: PastCoupon | null } = {},
): PastPurchase | null {
  const purchase = pendingPurchase(student, plan, coupon, now);
  if (isDeclined) Object.assign(purchase, { status: "declined", statusMessage: declinedMessage });
  student.purchases.push(purchase);
  const attempt = student.send(purchase, "initial", now, { card, result: isDeclined ? "declined" : "approved" });
  student.lastSeenAt = now;
  if (isDeclined) return null;
  completePurchase(student, purchase, attempt, card);
  return purchase;
}

function pendingPurchase(student: Student, plan: PlanOnSale, coupon: PastCoupon | null, now: Date): PastPurchase {
  const credits = student.creditsFor(plan.tier, now);
  const { totalCents, creditCents } = totalOf(plan.price, credits, coupon?.cents);
  const consent = { version: renewalConsent.version, at: now.toISOString(), address: student.address };
  return {
    id: student.newId(),
    userId: student.user.id,
    planId: plan.id,
    tier: plan.tier,
    amount: totalCents,
    credit: creditCents,
    creditFrom: credits,
    addressHash: null,
    discount: coupon?.cents ?? 0,
    couponCode: coupon?.code ?? null,
    renewalAmount: coupon && renews(plan.tier) ? plan.price : null,
    quoteId: null,
    status: "pending",
    givesAccess: null,
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
    reopenedUntil: null,
    cancelledAt: null,
    unpaidToldFor: null,
    networkTransactionId: null,
    cardBrand: null,
    cardLast4: null,
    consent: plan.tier === "basic" ? consent : null,
    coaching: null,
    refundDays: builtInSettings.refundDays,
    completedAt: null,
    createdAt: now,
    paidBy: null,
    cardKeptBy: null,
    isCardKept: false,
  };
}

function completePurchase(student: Student, purchase: PastPurchase, attempt: PastAttempt, card: Card): void {
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
    ...(isRecurring && { paidUntil: endsAt, nextBillingDate: endsAt, subscriptionId: student.newId() }),
    ...(isRecurring && { cardKeptBy: attempt.reference, isCardKept: true }),
  } satisfies Partial<PastPurchase>);
  const replaced = student.purchases.filter((one) => one !== purchase && student.renews(one));
  for (const other of replaced) {
    stopRenewal(student, other, "another plan took its place", paidAt);
    student.forgetCard(other);
  }
  student.replaceLowerTiers(purchase, paidAt);
  student.grant("purchase", purchase.id, purchase, { startsAt: paidAt, endsAt }, paidAt);
  if (!isRecurring && endsAt) student.scheduleReminders(endsAt, paidAt);
  student.write("purchased", purchase.id, paidAt, {
    ...receiptOf(purchase, attempt),
    tier,
    accessUntil: endsAt,
    nextPaymentAt: isRecurring ? endsAt : null,
    replacedPlan: replaced[0] ? tierLabels[replaced[0].tier] : null,
  });
}
