import { z } from "zod";
import { type CourseAccess, defaultBlockReason } from "#contract/access.ts";
import { type Tier, tierLabels, tierOpens, tierRank } from "#contract/tiers.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { setAccessCache, type User } from "#server/identity/users.ts";
import { defineJob, listDueJobs, scheduleJob } from "#server/jobs/jobs.ts";
import * as find from "./queries.ts";
import { listGrants } from "./queries.ts";
import {
  type Access,
  computeAccess,
  endOf,
  type Grant,
  hasOpened,
  isBlocked,
  isInForce,
  type Stretch,
  stretchesOf,
} from "./rules.ts";
import { type GrantSource, grantEnds, grants } from "./tables.ts";

export { grantsNotOver } from "./queries.ts";
export { isBlocked, type Stretch } from "./rules.ts";

/** Whatever the state of the account. */
export async function accessOf(db: Db, userId: string, now: Date): Promise<Access> {
  return computeAccess(await listGrants(db, userId), now);
}

export async function accessWithout(db: Db, userId: string, purchaseId: string, now: Date): Promise<Access> {
  const others = (await listGrants(db, userId)).filter((grant) => grant.purchaseId !== purchaseId);
  return computeAccess(others, now);
}

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

/** The unbroken period of the tier in force now; null when none is. */
export async function stretchInForce(
  db: Db,
  userId: string,
  now: Date,
): Promise<(Stretch & { readonly tier: Tier }) | null> {
  const grants = await listGrants(db, userId);
  const { tier } = computeAccess(grants, now);
  if (tier === null) return null;
  const stretch = stretchesOf(grants, tier).findLast(({ startsAt }) => startsAt <= now);
  return stretch ? { ...stretch, tier } : null;
}

export async function listStretches(db: Db, tier: Tier): Promise<Map<string, Stretch[]>> {
  const byUser = Map.groupBy(await find.listGrantsOfTier(db, tier), ({ userId }) => userId);
  return new Map([...byUser].map(([userId, grants]) => [userId, stretchesOf(grants, tier)]));
}

/** Null also when the account is blocked. */
export async function tierInUse(ctx: Context, user: User): Promise<Tier | null> {
  return isBlocked(user.accountStatus) ? null : (await accessOf(ctx.db, user.id, ctx.clock.now())).tier;
}

/** @throws Refusal account-blocked. */
export function requireUnblocked(user: User): void {
  if (isBlocked(user.accountStatus)) {
    throw new Refusal("account-blocked", user.suspensionReason ?? defaultBlockReason);
  }
}

/** `tier` is what the student has in use. @throws Refusal tier-required, account-blocked. */
export function requireTier(user: User, tier: Tier | null, requiredTier: Tier): void {
  requireUnblocked(user);
  if (!tierOpens(tier, requiredTier)) {
    throw new Refusal("tier-required", `This part of the course opens with ${tierLabels[requiredTier]}.`);
  }
}

/** Runs when a grant begins or ends. */
export const accessChangedJob = defineJob("access-changed", z.object({ userId: z.string() }));

/** Refreshes the cached tier now, at the start and at the end. The same source and id again change nothing. */
export async function recordGrant(
  db: Db,
  grant: {
    readonly userId: string;
    readonly tier: Tier;
    readonly source: GrantSource;
    readonly sourceId: string;
    /** Null for a gift. */
    readonly purchaseId: string | null;
    readonly startsAt: Date;
    readonly endsAt: Date | null;
    readonly reason?: string | null;
  },
  now: Date,
): Promise<void> {
  await db
    .insert(grants)
    .values({ ...grant, reason: grant.reason ?? null, createdAt: now })
    .onConflictDoNothing();
  await refreshAccessCache(db, grant.userId, now);
  const { userId } = grant;
  for (const runAt of [grant.startsAt, grant.endsAt]) {
    if (runAt === null || runAt <= now) continue;
    await scheduleJob(db, accessChangedJob, { data: { userId }, key: `${userId}:${runAt.toISOString()}`, runAt, now });
  }
}

/** A grant that would begin later never begins. */
export async function endGrantsOf(
  db: Db,
  of: { readonly userId: string; readonly purchaseId: string; readonly source?: GrantSource },
  reason: string,
  now: Date,
): Promise<void> {
  const ofPurchase = (await listGrants(db, of.userId)).filter(
    (grant) => grant.purchaseId === of.purchaseId && (of.source === undefined || grant.source === of.source),
  );
  await endGrants(db, of.userId, ofPurchase, reason, now);
  await refreshAccessCache(db, of.userId, now);
}

/** Ends all higher grants, later ones too. A lower tier that was paid for is in force again after the gift. */
export async function setTierByAdministrator(
  db: Db,
  gift: {
    readonly userId: string;
    readonly tier: Tier;
    readonly endsAt: Date | null;
    readonly reason: string | null;
    readonly actionId: string;
  },
  now: Date,
): Promise<void> {
  const higher = (await listGrants(db, gift.userId)).filter((grant) => tierRank(grant.tier) > tierRank(gift.tier));
  await endGrants(db, gift.userId, higher, "an administrator changed the tier", now);
  const { userId, tier, endsAt, reason, actionId } = gift;
  await recordGrant(
    db,
    { userId, tier, source: "administrator", sourceId: actionId, purchaseId: null, startsAt: now, endsAt, reason },
    now,
  );
}

/** The oldest first. */
export function listGrantsOf(db: Db, userId: string): Promise<Grant[]> {
  return listGrants(db, userId);
}

/** Runs at once when something ended a grant before its time. */
export const accessEndedJob = defineJob("access-ended", z.object({ userId: z.string() }));

async function endGrants(
  db: Db,
  userId: string,
  ending: readonly Grant[],
  reason: string,
  now: Date,
): Promise<string[]> {
  const ends: string[] = [];
  for (const grant of ending) {
    const end = endOf(grant);
    if (end !== null && end <= now) continue;
    const values = { grantId: grant.id, endsAt: now, reason, createdAt: now };
    const [row] = await db.insert(grantEnds).values(values).returning({ id: grantEnds.id });
    if (!row) continue;
    ends.push(row.id);
    await scheduleJob(db, accessEndedJob, { data: { userId }, key: `${userId}:${row.id}`, runAt: now, now });
  }
  return ends;
}

/** After the grants of that tier, so that no paid time is lost; else now. */
export async function nextStart(db: Db, userId: string, tier: Tier, now: Date): Promise<Date> {
  const ofTier = (await listGrants(db, userId)).filter((grant) => grant.tier === tier);
  const ends = ofTier.flatMap((grant) => endOf(grant) ?? []).filter((end) => end > now);
  return ofTier.some((grant) => isInForce(grant, now)) && ends.length > 0
    ? new Date(Math.max(...ends.map((end) => end.getTime())))
    : now;
}

/** From the ledger, which alone decides. */
export async function refreshAccessCache(db: Db, userId: string, now: Date): Promise<Tier | null> {
  const grants = await listGrants(db, userId);
  const { tier } = computeAccess(grants, now);
  await setAccessCache(db, userId, { tier, hasPurchased: hasOpened(grants, now) }, now);
  return tier;
}

/** Leaves out users whose grant has just begun or ended and whose job has not run yet. */
export async function listWrongCaches(
  db: Db,
  now: Date,
): Promise<{ userId: string; cached: string; fromLedger: string }[]> {
  const following = new Set((await listDueJobs(db, accessChangedJob, now)).map(({ userId }) => userId));
  const wrong: { userId: string; cached: string; fromLedger: string }[] = [];
  for (let afterId: string | undefined = ""; afterId !== undefined; ) {
    const page = await find.listCaches(db, afterId, cachesAtOnce);
    for (const { id, tier, hasPurchased, grants } of page) {
      const cached = cacheWords(tier, hasPurchased);
      const fromLedger = cacheWords(computeAccess(grants, now).tier, hasOpened(grants, now));
      if (cached !== fromLedger && !following.has(id)) wrong.push({ userId: id, cached, fromLedger });
    }
    afterId = page.length < cachesAtOnce || wrong.length >= mostWrong ? undefined : page.at(-1)?.id;
  }
  return wrong.slice(0, mostWrong);
}

const cachesAtOnce = 2000;
const mostWrong = 200;

function cacheWords(tier: string | null, hasPurchased: boolean): string {
  return `${tier ?? "no tier"}${hasPurchased ? "" : ", never opened"}`;
}

/** Returns the id of its end, or null when it had ended already. */
export async function endGrant(db: Db, grantId: string, reason: string, now: Date): Promise<string | null> {
  const [grant] = await find.findGrant(db, grantId);
  const ending = grant && (await listGrants(db, grant.userId)).find(({ id }) => id === grantId);
  if (!ending) return null;
  const [end] = await endGrants(db, grant.userId, [ending], reason, now);
  await refreshAccessCache(db, grant.userId, now);
  return end ?? null;
}

/** Ends that were not undone since; grace periods are left out. */
export function listEndsOf(
  db: Db,
  of: { readonly userId: string; readonly purchaseId: string },
): Promise<{ id: string }[]> {
  return find.listEndsOf(db, of);
}

/** The grant counts again from that instant to its own end. Safe to repeat. */
export async function undoEnd(db: Db, endId: string, reason: string, now: Date): Promise<void> {
  const found = await find.findEnd(db, endId);
  if (!found) return;
  const { userId, tier, source, purchaseId, startsAt, endsAt } = found.grant;
  const made = { userId, tier, purchaseId, endsAt, reason, sourceId: endId };
  await recordGrant(
    db,
    {
      ...made,
      source: source === "administrator" ? source : "purchase",
      startsAt: startsAt > found.endsAt ? startsAt : found.endsAt,
    },
    now,
  );
}
