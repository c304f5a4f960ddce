import { type CourseAccess, defaultBlockReason } from "#contract/access.ts";
import { type Tier, tierLabels, tierOpens } from "#contract/tiers.ts";
import type { Context } from "#server/context.ts";
import type { Db } from "#server/db/db.ts";
import { setAccessCache, type User } from "#server/identity/users.ts";
import { Refusal } from "#server/refusal.ts";
import { listGrants } from "./queries.ts";
import { type Access, computeAccess, endOf, isBlocked, isInForce } from "./rules.ts";
import { type GrantSource, grantEnds, grants } from "./tables.ts";

/** What the ledger gives a student now, whatever the state of the account. */
export async function accessOf(db: Db, userId: string, now: Date): Promise<Access> {
  return computeAccess(await listGrants(db, userId), now);
}

/** The answer to "may I use the course, by what, until when, and what blocks it". */
export async function describeAccess(ctx: Context, user: User): Promise<CourseAccess> {
  const access = await accessOf(ctx.db, user.id, ctx.clock.now());
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

/** The tier that a student may use now; null when there is none, or when the account is blocked. */
export async function tierInUse(ctx: Context, user: User): Promise<Tier | null> {
  return isBlocked(user.accountStatus) ? null : (await accessOf(ctx.db, user.id, ctx.clock.now())).tier;
}

/** @throws Refusal account-blocked for held and suspended accounts. */
export function requireUnblocked(user: User): void {
  if (isBlocked(user.accountStatus)) {
    throw new Refusal("account-blocked", user.suspensionReason ?? defaultBlockReason);
  }
}

/** @throws Refusal tier-required naming the plan that opens it, account-blocked. */
export async function requireTier(ctx: Context, user: User, requiredTier: Tier): Promise<void> {
  requireUnblocked(user);
  if (!tierOpens(await tierInUse(ctx, user), requiredTier)) {
    throw new Refusal("tier-required", `This part of the course opens with ${tierLabels[requiredTier]}.`);
  }
}

/**
 * Records a grant and refreshes the tier that users carry as a cache. Repeating it with the same source and id changes
 * nothing.
 */
export async function recordGrant(
  db: Db,
  grant: {
    readonly userId: string;
    readonly tier: Tier;
    readonly source: GrantSource;
    readonly sourceId: string;
    readonly startsAt: Date;
    readonly endsAt: Date | null;
    readonly reason?: string;
  },
  now: Date,
): Promise<void> {
  await db
    .insert(grants)
    .values({ ...grant, reason: grant.reason ?? null, createdAt: now })
    .onConflictDoNothing();
  await refreshAccessCache(db, grant.userId, now);
}

/** Ends at `now` what one purchase opened, unless it has ended already. */
export async function endGrantsOf(db: Db, userId: string, sourceId: string, reason: string, now: Date): Promise<void> {
  for (const grant of await listGrants(db, userId)) {
    const end = endOf(grant);
    if (grant.sourceId !== sourceId || (end !== null && end <= now)) continue;
    await db.insert(grantEnds).values({ grantId: grant.id, endsAt: now, reason, createdAt: now });
  }
  await refreshAccessCache(db, userId, now);
}

/** When a new stretch of `tier` may begin: at the end of what the student has of that tier, else now. */
export async function nextStart(db: Db, userId: string, tier: Tier, now: Date): Promise<Date> {
  const ofTier = (await listGrants(db, userId)).filter((grant) => grant.tier === tier);
  const ends = ofTier.flatMap((grant) => endOf(grant) ?? []).filter((end) => end > now);
  return ofTier.some((grant) => isInForce(grant, now)) && ends.length > 0
    ? new Date(Math.max(...ends.map((end) => end.getTime())))
    : now;
}

async function refreshAccessCache(db: Db, userId: string, now: Date): Promise<void> {
  const { tier } = await accessOf(db, userId, now);
  await setAccessCache(db, userId, tier, now);
}
