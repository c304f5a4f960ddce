import { type Tier, tiers } from "#contract/tiers.ts";
import { findCurrentInterval, requireUnblocked } from "#server/access/access.ts";
import { after, HOUR } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import { currentPlanNames, promisesOnSale } from "#server/catalogue/catalogue.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { countUse } from "#server/db/rate-limits.ts";
import type { User } from "#server/identity/users.ts";
import { findLastRefunded, findPromise } from "#server/purchases/purchases.ts";
import type { Entitlement } from "./allowance.ts";
import { afterRefund } from "./rules.ts";

const writes = {
  max: 30,
  window: HOUR,
  message: "You've made a lot of changes in a short time. Please try again in an hour.",
};

/** Call before the write. @throws Refusal too-many-requests. */
export function countWrite(ctx: Context, user: User): Promise<void> {
  return countUse(ctx.db, `coaching ${user.id}`, writes, ctx.clock.now());
}

/** Ignores the account's status. A purchase includes what its plan included when it was paid. */
export async function entitlementOf(db: Db, userId: string, now: Date): Promise<Entitlement | null> {
  const interval = await findCurrentInterval(db, userId, now);
  if (!interval) return null;
  const { purchaseId, tier, startsAt: since, endsAt: until } = interval;
  const recorded = purchaseId === null ? undefined : await findPromise(db, purchaseId);
  const promise = recorded ?? (await promisesOnSale(db))[tier];
  if (promise.sessions === 0) return null;
  const refundedAt = purchaseId === null ? null : await findLastRefunded(db, userId);
  const notBefore = refundedAt && refundedAt < since ? after(since, afterRefund) : null;
  return { promise, since, until, notBefore };
}

/** @throws Refusal account-blocked, tier-required. */
export async function requireEntitlement(db: Db, user: User, now: Date): Promise<Entitlement> {
  requireUnblocked(user);
  const entitlement = await entitlementOf(db, user.id, now);
  if (entitlement) return entitlement;
  const [tier, names] = await Promise.all([lowestTierWithCoaching(db), currentPlanNames(db)]);
  throw new Refusal("tier-required", `1-on-1 coaching is included in ${names[tier ?? "vip"]}.`);
}

/** Null when no plan includes coaching. */
export async function lowestTierWithCoaching(db: Db): Promise<Tier | null> {
  const onSale = await promisesOnSale(db);
  return tiers.find((tier) => onSale[tier].sessions > 0) ?? null;
}
