import { newId } from "#server/db/id.ts";
import { addPaymentMethod } from "#server/payments/payment-methods.ts";
import type { FollowPurchase } from "#server/purchases/outcomes.ts";
import { renews } from "#server/purchases/periods.ts";
import { agreedRenewal } from "#server/purchases/purchases.ts";
import { scheduleReminders } from "./expiry.ts";
import { keepCardLater } from "./payment-methods.ts";
import { beginSubscription } from "./queries.ts";
import { endOtherSubscriptions } from "./subscriptions.ts";

/** Ends the buyer's other subscriptions: a student has at most one at a time. */
export const followPurchase: FollowPurchase = async (tx, purchase, { outcome, startsAt, endsAt }, now) => {
  const { id: purchaseId, userId, planId, tier, createdAt } = purchase;
  const price = agreedRenewal(purchase);
  const replacedPlan = await endOtherSubscriptions(tx, userId, purchaseId, now);
  if (endsAt === null) return { replacedPlan };
  if (!renews(tier)) {
    await scheduleReminders(tx, userId, endsAt, now);
    return { replacedPlan };
  }
  const { networkTransactionId, paymentProfile } = outcome;
  const chargedAmount = purchase.amount === price ? null : purchase.amount;
  const card = await addPaymentMethod(
    tx,
    { userId, networkTransactionId, chargedAmount, ...paymentProfile, ...outcome.card },
    now,
  );
  await beginSubscription(tx, {
    id: newId(),
    ...{ purchaseId, userId, planId, tier, price, createdAt },
    paymentMethodId: card.id,
    status: "active",
    currentPeriodStart: startsAt,
    currentPeriodEnd: endsAt,
    nextChargeAt: endsAt,
  });
  if (!paymentProfile) await keepCardLater(tx, purchaseId, now);
  return { replacedPlan };
};
