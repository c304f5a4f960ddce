import { after } from "#server/base/clock.ts";
import { idFor } from "#server/db/id.ts";
import type { PaymentMethodRow } from "#server/payments/tables.ts";
import { monthlyPeriod } from "#server/purchases/periods.ts";
import { agreedRenewal } from "#server/purchases/rules.ts";
import type { SubscriptionStatus } from "#server/subscriptions/rules.ts";
import type { subscriptions } from "#server/subscriptions/tables.ts";
import type { GatewayNumbers, PastPurchase } from "./rows.ts";
import { networkNumberOf } from "./student.ts";

/** The payment methods and subscriptions of recurring purchases. */
export function renewalsOf(
  purchases: readonly PastPurchase[],
  numberOf: (reference: string | null) => GatewayNumbers | null,
): { paymentMethods: PaymentMethodRow[]; subscriptions: (typeof subscriptions.$inferInsert)[] } {
  const renewing = purchases.flatMap((purchase) => {
    const { subscriptionId, paidUntil } = purchase;
    return subscriptionId !== null && paidUntil !== null ? [{ ...purchase, subscriptionId, paidUntil }] : [];
  });
  return {
    paymentMethods: renewing.map((purchase) => {
      const kept = numberOf(purchase.cardKeptBy);
      return {
        id: cardIdOf(purchase),
        userId: purchase.userId,
        customerProfileId: kept?.customerProfileId ?? null,
        paymentProfileId: purchase.isCardKept ? (kept?.paymentProfileId ?? null) : null,
        networkTransactionId: purchase.networkTransactionId,
        chargedAmount: hasFirstCard(purchase) && purchase.amount !== agreedRenewal(purchase) ? purchase.amount : null,
        brand: purchase.cardBrand,
        last4: purchase.cardLast4,
        createdAt: purchase.completedAt ?? purchase.createdAt,
      };
    }),
    subscriptions: renewing.map((purchase) => ({
      id: purchase.subscriptionId,
      purchaseId: purchase.id,
      userId: purchase.userId,
      planId: purchase.planId,
      tier: purchase.tier,
      price: agreedRenewal(purchase),
      paymentMethodId: cardIdOf(purchase),
      status: statusOf(purchase),
      currentPeriodStart: after(purchase.paidUntil, -monthlyPeriod),
      currentPeriodEnd: purchase.paidUntil,
      nextChargeAt: purchase.nextBillingDate,
      graceFrom: purchase.graceFrom,
      dunningSince: purchase.declinedSince,
      declinedForGood: purchase.declinedForGood,
      reopenedUntil: purchase.reopenedUntil,
      cancelledAt: purchase.cancelledAt,
      lastAttemptAt: purchase.lastPaymentAttempt,
      unpaidToldFor: purchase.unpaidToldFor,
      createdAt: purchase.createdAt,
    })),
  };
}

/** Whether it still uses the card of its first charge, by which the networks know it. */
function hasFirstCard({ networkTransactionId, paidBy }: PastPurchase): boolean {
  return paidBy !== null && networkTransactionId === networkNumberOf(paidBy);
}

function cardIdOf({ id }: PastPurchase): string {
  return idFor(id, "card");
}

function statusOf({ subscriptionStatus, paymentDeclined, declinedSince }: PastPurchase): SubscriptionStatus {
  if (subscriptionStatus === "cancelled") return "cancelled";
  if (subscriptionStatus === "on_hold") return paymentDeclined ? "on_hold" : "held";
  if (paymentDeclined) return "declined";
  return declinedSince ? "retrying" : "active";
}
