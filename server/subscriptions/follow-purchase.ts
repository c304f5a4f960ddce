import type { FollowPurchase } from "#server/purchases/outcomes.ts";
import { renews } from "#server/purchases/periods.ts";
import { scheduleReminders } from "./expiry.ts";
import { keepCardLater } from "./stored-cards.ts";
import { endOtherSubscriptions } from "./subscriptions.ts";

/**
 * A plan was paid: every other subscription of its buyer ends, since one person pays for one at a time. What renews has
 * its card kept, and what ends by itself is followed by reminders.
 */
export const followPurchase: FollowPurchase = async (tx, purchase, { outcome, endsAt }, now) => {
  const replacedPlan = await endOtherSubscriptions(tx, purchase.userId, purchase.id, now);
  const isRecurring = renews(purchase.tier);
  if (isRecurring && !outcome.storedCard) await keepCardLater(tx, purchase.id, now);
  if (!isRecurring && endsAt) await scheduleReminders(tx, purchase.userId, endsAt, now);
  return { replacedPlan };
};
