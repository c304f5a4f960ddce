import { builtInPlanNames } from "#content/plans.ts";
import { builtInSettings } from "#content/site.ts";
import { renewalConsent } from "#contract/purchases/purchases.ts";
import { renews, type Tier, tierRank } from "#contract/tiers.ts";
import { listContinued } from "#server/access/rules.ts";
import type { PlanRow } from "#server/catalogue/catalogue.ts";
import { periodEnd } from "#server/purchases/periods.ts";
import { type Credit, creditsFor, paidPeriodsOf, totalOf } from "#server/purchases/quotes/rules.ts";
import { givesCredit } from "#server/purchases/rules.ts";
import type { PastCoupon } from "./coupons.ts";
import { stopRenewal } from "./renewing.ts";
import type { Card, PastAttempt, PastPurchase } from "./rows.ts";
import type { Student } from "./student.ts";

export type PlanOnSale = Pick<PlanRow, "id" | "tier" | "price" | "coaching">;

const declinedMessage = "Your card was declined. Please try another card, or contact your bank.";

/** Buys a plan; null when the card is declined. */
export function buyPlan(
  student: Student,
  plan: PlanOnSale,
  card: Card,
  now: Date,
  { isDeclined = false, coupon = null }: { isDeclined?: boolean; coupon?: PastCoupon | null } = {},
): PastPurchase | null {
  const { tier } = plan;
  const credits = creditsOf(student, tier, now);
  const { totalCents, creditCents } = totalOf(plan.price, credits, coupon?.cents);
  const purchase: PastPurchase = {
    id: student.newId(),
    userId: student.user.id,
    planId: plan.id,
    tier,
    amount: totalCents,
    credit: creditCents,
    creditFrom: credits,
    addressHash: null,
    discount: coupon?.cents ?? 0,
    couponCode: coupon?.code ?? null,
    renewalAmount: coupon && renews(tier) ? plan.price : null,
    discountedRenewals: 0,
    laterAmount: null,
    quoteId: null,
    status: isDeclined ? "declined" : "completed",
    givesAccess: null,
    statusMessage: isDeclined ? declinedMessage : null,
    lastPaymentAttempt: now,
    consent: renews(tier) ? { version: renewalConsent.version, at: now.toISOString(), address: student.address } : null,
    coaching: plan.coaching,
    refundDays: builtInSettings.refundDays,
    completedAt: null,
    createdAt: now,
  };
  student.purchases.push(purchase);
  const charge = student.charge(purchase, card, !isDeclined, now);
  student.lastSeenAt = now;
  if (isDeclined) return null;
  openPurchase(student, purchase, charge, card);
  return purchase;
}

/** The credits for buying a tier, by the rules of the checkout. */
function creditsOf(student: Student, tier: Tier, now: Date): Credit[] {
  const { grantEnds, attempts, purchases, refunds } = student;
  const periods = paidPeriodsOf(
    listContinued(student.ledgerOfAccess(), grantEnds),
    attempts.filter(({ state }) => state === "approved"),
    purchases
      .filter(givesCredit)
      .map(({ id, tier, credit }) => ({ id, tier, credit, planName: builtInPlanNames[tier] })),
    new Map(refunds.map(({ attemptId, amount }) => [attemptId, amount])),
  );
  return creditsFor(tier, periods, now).map(({ openUntil: _openUntil, ...credit }) => credit);
}

function openPurchase(student: Student, purchase: PastPurchase, firstCharge: PastAttempt, card: Card): void {
  const { id, tier } = purchase;
  const now = firstCharge.resolvedAt ?? firstCharge.sentAt;
  purchase.completedAt = now;
  for (const other of student.subscriptions.filter(({ status }) => status !== "cancelled")) {
    stopRenewal(student, other, "another plan took its place", now);
    student.forgetCard(other);
  }
  const endsAt = periodEnd(tier, now);
  if (renews(tier) && endsAt) {
    student.subscriptions.push({
      ...{ id: student.newId(), purchase, firstCharge, card, isCardKept: true },
      ...{ status: "active", currentPeriodStart: now, currentPeriodEnd: endsAt, nextChargeAt: endsAt },
      ...{
        graceFrom: null,
        dunningSince: null,
        reopenedUntil: null,
        declinedForGood: false,
        cancelledAt: null,
        heldAt: null,
      },
      ...{ lastAttemptAt: null, unpaidToldFor: null },
    });
  } else if (endsAt) student.scheduleReminders(endsAt, now);
  const why = { reason: "a higher plan took its place", replacedBy: id };
  student.endGrants((grant) => tierRank(grant.tier) < tierRank(tier), why, now);
  student.grant("purchase", id, purchase, { startsAt: now, endsAt }, now);
  student.write("purchased", id, now, { planName: builtInPlanNames[tier] });
}

/** Sends the reminders that are due by `until`, as their job would. */
export function remindOfEnd(student: Student, until: Date): void {
  for (const { name, data, runAt } of student.jobs) {
    const { endsAt, days } = data as { endsAt: string; days: number };
    if (name !== "remind-of-end" || runAt > until || student.accessAt(runAt).until?.toISOString() !== endsAt) continue;
    student.write("ends-soon", `${endsAt}:${days}`, runAt, { planName: builtInPlanNames.premium, daysLeft: days });
  }
}
