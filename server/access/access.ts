import { type CourseAccess, defaultBlockReason } from "#contract/access.ts";
import { type Tier, tierOpens } from "#contract/tiers.ts";
import { Refusal } from "#server/base/refusal.ts";
import { currentPlanNames } from "#server/catalogue/catalogue.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { isOfTeam, type User } from "#server/identity/users.ts";
import * as find from "./queries.ts";
import { listGrants } from "./queries.ts";
import {
  type Access,
  type Continued,
  computeAccess,
  type Grant,
  type Interval,
  intervalsOf,
  isBlocked,
  lastEnd,
  listContinued,
} from "./rules.ts";

export { grantsNotOver, listGrants, listGrantsNotOver, selectEnding } from "./queries.ts";
export {
  type Continued,
  computeAccess,
  endOf,
  type Grant,
  giftSources,
  type Interval,
  isBlocked,
  isUntouchedGift,
} from "./rules.ts";

/** The access by the grants, also while the account is blocked. */
export async function accessOf(db: Db, userId: string, now: Date): Promise<Access> {
  return computeAccess(await listGrants(db, userId), now);
}

/** The grants of many students, in the order of `userIds`. */
export function listGrantsOfMany(db: Db, userIds: readonly string[]): Promise<Grant[][]> {
  return find.listGrantsOfEach(db, userIds);
}

/** The end of what a purchase has paid for. Null: there is none, it has passed, or it was ended. */
export async function findPaidEnd(
  db: Db,
  purchase: { readonly id: string; readonly userId: string },
  now: Date,
): Promise<Date | null> {
  const paid = (await listGrants(db, purchase.userId)).filter(
    ({ purchaseId, source }) => purchaseId === purchase.id && source !== "grace",
  );
  return lastEnd(paid, now);
}

export async function accessWithout(db: Db, userId: string, purchaseId: string, now: Date): Promise<Access> {
  const others = (await listGrants(db, userId)).filter((grant) => grant.purchaseId !== purchaseId);
  return computeAccess(others, now);
}

/** The team sees the whole course without a plan. */
const teamAccess = { tier: "vip", source: "team", until: null } as const;

/** What opens to the user, also while the account is blocked. */
export async function describeAccess(ctx: Context, user: User): Promise<CourseAccess> {
  const own = await accessOf(ctx.db, user.id, ctx.clock.now());
  const access = own.tier !== "vip" && (await isOfTeam(ctx, user)) ? teamAccess : own;
  const blocked = isBlocked(user.accountStatus);
  return {
    hasAccess: access.tier !== null && !blocked,
    tier: access.tier,
    accountStatus: user.accountStatus,
    suspensionReason: blocked ? (user.suspensionReason ?? defaultBlockReason) : null,
    until: access.until?.toISOString() ?? null,
    source: access.source,
  };
}

/** The unbroken period of the tier that the student has now; null without one. */
export async function findCurrentInterval(
  db: Db,
  userId: string,
  now: Date,
): Promise<(Interval & { readonly tier: Tier }) | null> {
  const grants = await listGrants(db, userId);
  const { tier } = computeAccess(grants, now);
  if (tier === null) return null;
  const interval = intervalsOf(grants, tier).findLast(({ startsAt }) => startsAt <= now);
  return interval ? { ...interval, tier } : null;
}

/** The unbroken periods of a tier of all students. */
export async function listIntervals(db: Db, tier: Tier): Promise<(Interval & { readonly userId: string })[]> {
  const byUser = Map.groupBy(await find.listPeriodsOfTier(db, tier), ({ userId }) => userId);
  const all: (Interval & { readonly userId: string })[] = [];
  for (const [userId, periods] of byUser) {
    const [only, ...others] = periods;
    if (only && others.length === 0) {
      all.push(only);
      continue;
    }
    for (const { startsAt, endsAt, purchaseId } of intervalsOf(periods, tier)) {
      all.push({ userId, startsAt, endsAt, purchaseId });
    }
  }
  return all;
}

/** What opens to the user: to the team, all of the course. Null also when the account is blocked. */
export async function tierInUse(ctx: Context, user: User): Promise<Tier | null> {
  const { hasAccess, tier } = await describeAccess(ctx, user);
  return hasAccess ? tier : null;
}

/** Without what the team may see: for what is counted or limited. Null also when the account is blocked. */
export async function ownTierInUse(ctx: Context, user: User): Promise<Tier | null> {
  return isBlocked(user.accountStatus) ? null : (await accessOf(ctx.db, user.id, ctx.clock.now())).tier;
}

/** Whether the user looks at the course as one of the team, without a plan. */
export async function isPreviewing(ctx: Context, user: User): Promise<boolean> {
  return (await ownTierInUse(ctx, user)) === null && (await isOfTeam(ctx, user));
}

/** @throws Refusal account-blocked. */
export function requireUnblocked(user: User): void {
  if (isBlocked(user.accountStatus)) {
    throw new Refusal("account-blocked", user.suspensionReason ?? defaultBlockReason);
  }
}

/** `tier` is what the student has in use. @throws Refusal tier-required, account-blocked. */
export async function requireTier(db: Db, user: User, tier: Tier | null, requiredTier: Tier): Promise<void> {
  requireUnblocked(user);
  if (tierOpens(tier, requiredTier)) return;
  const names = await currentPlanNames(db);
  throw new Refusal("tier-required", `This part of the course is included in ${names[requiredTier]}.`);
}

/** Each grant of a student that is or will be in force, with the one that it continues. */
export async function listGrantsContinued(db: Db, userId: string): Promise<Continued[]> {
  const grants = await listGrants(db, userId);
  return grants.length === 0 ? [] : listContinued(grants, await find.listEnds(db, userId));
}
