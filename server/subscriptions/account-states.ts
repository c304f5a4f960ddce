import type { Tier } from "#contract/tiers.ts";
import { listLastBlockings } from "#server/audit/audit.ts";
import type { Db } from "#server/db/db.ts";
import { listSupport } from "#server/identity/team.ts";
import { userById } from "#server/identity/users.ts";
import { renewalFields } from "./purchase-list.ts";
import { type CurrentSubscription, listCurrentOfMany, listSubscriptionsOf } from "./queries.ts";
import { isDeclined, isRenewing, waitsForPayment } from "./rules.ts";

export interface SubscriptionState {
  readonly renews: boolean;
  /** The newest subscription that renews and is not declined. */
  readonly holdable: string | null;
  readonly isDeclined: boolean;
  /** Whether a renewal was refused, for any reason, and not paid since. */
  readonly isUnpaid: boolean;
  /** Whether it was reopened without a payment, and is on hold again. */
  readonly waitsForPayment: boolean;
  /** Whether an administrator holds the account. */
  readonly isHeld: boolean;
  readonly tier: Tier;
}

export async function findSubscriptionStates(
  db: Db,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, SubscriptionState>> {
  const current = await listCurrentOfMany(db, userIds);
  const ofUsers = [...Map.groupBy(current, ({ userId }) => userId)];
  return new Map(ofUsers.map(([userId, subscriptions]) => [userId, stateOf(subscriptions)]));
}

/** Summarises a user's subscriptions, given newest first. */
function stateOf(subscriptions: readonly CurrentSubscription[]): SubscriptionState {
  return {
    renews: subscriptions.some(isRenewing),
    holdable: subscriptions.find((one) => isRenewing(one) && !isDeclined(one))?.id ?? null,
    isDeclined: subscriptions.some(isDeclined),
    isUnpaid: subscriptions.some(({ dunningSince }) => dunningSince !== null),
    waitsForPayment: subscriptions.some(waitsForPayment),
    isHeld: subscriptions.some(({ status }) => status === "held"),
    tier: subscriptions[0]?.tier ?? "basic",
  };
}

/** The state of an account for the audit log, without personal data. */
export async function snapshotOf(db: Db, userId: string): Promise<Record<string, unknown>> {
  const { purchasedTier: tier, accountStatus } = await userById(db, userId);
  const subscriptions = (await listSubscriptionsOf(db, [userId])).map((subscription) => {
    const { subscriptionStatus, paymentDeclined, nextBillingDate } = renewalFields(subscription);
    return [`subscription ${subscription.id}`, { subscriptionStatus, paymentDeclined, nextBillingDate }];
  });
  return { tier, accountStatus, ...Object.fromEntries(subscriptions) };
}

/** Those whose account support has closed, and nobody above it. */
export async function listClosedBySupport(db: Db, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  const closings = (await listLastBlockings(db, userIds)).filter(({ action }) => action !== "reactivate account");
  const support = await listSupport(
    db,
    closings.map(({ actor }) => actor),
  );
  return new Set(closings.filter(({ actor }) => support.has(actor)).map(({ subject }) => subject));
}
