import { renews, tierRank } from "#contract/tiers.ts";
import { accessWithout } from "#server/access/access.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { addPaymentMethod, forgetCardLater } from "#server/payments/payment-methods.ts";
import type { FollowPurchase } from "#server/purchases/outcomes.ts";
import { agreedPrices, type PurchaseRow } from "#server/purchases/purchases.ts";
import { scheduleReminders } from "./expiry.ts";
import { keepCardLater } from "./payment-methods.ts";
import { beginSubscription, lockByPurchase } from "./queries.ts";
import { isEndedByGift } from "./rules.ts";
import { endOtherSubscriptions, stopRenewal } from "./subscriptions.ts";

/** Ends the buyer's other subscriptions: a student has at most one at a time. */
export const followPurchase: FollowPurchase = async (tx, purchase, { outcome, startsAt, endsAt }, now) => {
  const { id: purchaseId, userId, planId, tier, createdAt } = purchase;
  const prices = agreedPrices(purchase, 0);
  const replacedPlan = await endOtherSubscriptions(tx, userId, purchaseId, now);
  if (endsAt === null) return { replacedPlan, isRenewing: false };
  if (!renews(tier)) {
    await scheduleReminders(tx, userId, endsAt, now);
    return { replacedPlan, isRenewing: false };
  }
  const { networkTransactionId, paymentProfile } = outcome;
  const isPriceKept = purchase.amount === prices.price && prices.laterPrice === null;
  const chargedAmount = isPriceKept ? null : purchase.amount;
  const card = await addPaymentMethod(
    tx,
    { userId, networkTransactionId, chargedAmount, ...paymentProfile, ...outcome.card },
    now,
  );
  await beginSubscription(tx, {
    id: newId(),
    ...{ purchaseId, userId, planId, tier, ...prices, createdAt },
    paymentMethodId: card.id,
    status: "active",
    currentPeriodStart: startsAt,
    currentPeriodEnd: endsAt,
    nextChargeAt: endsAt,
  });
  if (await hasMoreWithout(tx, purchase, now)) {
    await stopRenewal(tx, await lockByPurchase(tx, purchaseId), "given while its payment was confirmed", now);
    await forgetCardLater(tx, card, now);
    return { replacedPlan, isRenewing: false };
  }
  if (!paymentProfile) await keepCardLater(tx, purchaseId, now);
  return { replacedPlan, isRenewing: true };
};

/** An administrator may have given the student as much or more while the payment was being confirmed. */
async function hasMoreWithout(tx: Db, { id, userId, tier }: PurchaseRow, now: Date): Promise<boolean> {
  const other = await accessWithout(tx, userId, id, now);
  if (other.tier === null || tierRank(other.tier) < tierRank(tier)) return false;
  return isEndedByGift({ tier }, { tier: other.tier, endsAt: other.until });
}
