import { z } from "zod";
import { type CourseAccess, defaultBlockReason } from "#contract/access.ts";
import { type Tier, tierLabels, tierOpens, tierRank } from "#contract/tiers.ts";
import { after } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import type { User } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { accessChangedJob, refreshAccessCache } from "./cached-tiers.ts";
import * as find from "./queries.ts";
import { listGrants } from "./queries.ts";
import {
  type Access,
  type Continued,
  computeAccess,
  endOf,
  type Grant,
  type Interval,
  intervalsOf,
  isBlocked,
  isInForce,
  isUntouchedGift,
  listContinued,
  listMoved,
  listReplaced as listReplacedOf,
} from "./rules.ts";
import { type GrantSource, grantEnds, grants } from "./tables.ts";

export { grantsNotOver, listGrantsNotOver } from "./queries.ts";
export { type Continued, computeAccess, type Grant, type Interval, isBlocked, isUntouchedGift } from "./rules.ts";

/** Whatever the state of the account. */
export async function accessOf(db: Db, userId: string, now: Date): Promise<Access> {
  return computeAccess(await listGrants(db, userId), now);
}

/** The grants of each, in their order, for many at once. */
export function listGrantsOfMany(db: Db, userIds: readonly string[]): Promise<Grant[][]> {
  return find.listGrantsOfEach(db, userIds);
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

/** Of everybody. */
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
  await endGrants(db, of.userId, ofPurchase, { reason }, now);
  await refreshAccessCache(db, of.userId, now);
}

/** What was paid of a tier begins as soon as nothing is before it. Returns when those that were moved begin and end. */
export async function closeGaps(
  db: Db,
  { userId, tier }: { readonly userId: string; readonly tier: Tier },
  now: Date,
): Promise<{ readonly startsAt: Date; readonly endsAt: Date }[]> {
  const moved = listMoved(await listGrants(db, userId), tier, now);
  for (const { grant, startsAt, endsAt } of moved) {
    const [endId] = await endGrants(db, userId, [grant], { reason: "begins earlier" }, now);
    if (!endId) continue;
    await continueGrant(db, { ...grant, userId }, { endId, startsAt, endsAt, reason: "what was before it ended" }, now);
  }
  return moved;
}

/** Each grant of a student that counts or will count, with how it was first given. */
export async function listGrantsContinued(db: Db, userId: string): Promise<Continued[]> {
  return listContinued(await listGrants(db, userId), await find.listEnds(db, userId));
}

/** What was paid of lower tiers ends now, and names the purchase. Gifts stay. */
export async function replaceLowerTiers(
  db: Db,
  by: { readonly userId: string; readonly tier: Tier; readonly purchaseId: string },
  now: Date,
): Promise<void> {
  const { userId, tier, purchaseId } = by;
  const lower = (await listGrants(db, userId)).filter(
    (grant) => grant.source !== "administrator" && tierRank(grant.tier) < tierRank(tier),
  );
  await endGrants(db, userId, lower, { reason: "a higher plan took its place", replacedBy: purchaseId }, now);
  await refreshAccessCache(db, userId, now);
}

/** Days that an upgrade replaced, which begin again when they are given back. */
export interface ReplacedDays {
  /** The end that cut them off. */
  readonly endId: string;
  readonly tier: Tier;
  readonly purchaseId: string | null;
  /** How they were first given. */
  readonly first: Grant;
  /** Milliseconds. */
  readonly remaining: number;
}

/** What a purchase replaced and nobody gave back yet, the earliest first; grace periods are gone. */
export async function listReplaced(
  db: Db,
  by: { readonly userId: string; readonly purchaseId: string },
): Promise<ReplacedDays[]> {
  const replaced = listReplacedOf(await listGrants(db, by.userId), await find.listEnds(db, by.userId), by.purchaseId);
  return replaced
    .toSorted((a, b) => a.last.startsAt.getTime() - b.last.startsAt.getTime())
    .flatMap(({ first, last, end }) => {
      if (last.endsAt === null || last.source === "grace") return [];
      const remaining = last.endsAt.getTime() - Math.max(end.endsAt.getTime(), last.startsAt.getTime());
      const { tier, purchaseId } = last;
      return remaining > 0 ? [{ endId: end.id, tier, purchaseId, first, remaining }] : [];
    });
}

/** Purchases of higher tiers. */
export async function listReplacers(
  db: Db,
  of: { readonly userId: string; readonly purchaseId: string },
): Promise<string[]> {
  const ofPurchase = (await listGrants(db, of.userId)).filter(({ purchaseId }) => purchaseId === of.purchaseId);
  const ids = new Set(ofPurchase.map(({ id }) => id));
  const ends = (await find.listEnds(db, of.userId)).filter(({ grantId }) => ids.has(grantId));
  return [...new Set(ends.flatMap(({ replacedBy }) => replacedBy ?? []))];
}

/** Ends the days that a purchase replaced once and gave back since: it counts as paid again. */
export async function replaceAgain(
  db: Db,
  by: { readonly userId: string; readonly purchaseId: string },
  now: Date,
): Promise<void> {
  const { userId, purchaseId } = by;
  const ends = (await find.listEnds(db, userId)).filter(({ replacedBy }) => replacedBy === purchaseId);
  const ids = new Set(ends.map(({ id }) => id));
  const givenBack = (await listGrants(db, userId)).filter(({ sourceId }) => ids.has(sourceId));
  await endGrants(db, userId, givenBack, { reason: "a higher plan took its place again", replacedBy: purchaseId }, now);
  await refreshAccessCache(db, userId, now);
}

/** What the ledger would give a student now without one of their purchases, and with days given back. */
export async function accessWith(
  db: Db,
  userId: string,
  change: { readonly withoutPurchaseId: string; readonly givenBack: readonly ReplacedDays[] },
  now: Date,
): Promise<Access> {
  const all = await listGrants(db, userId);
  const others = all.filter(({ purchaseId }) => purchaseId !== change.withoutPurchaseId);
  const ended = all.find(({ purchaseId }) => purchaseId === change.withoutPurchaseId);
  const moved = ended ? listMoved(others, ended.tier, now) : [];
  const left = others.filter((grant) => !moved.some((one) => one.grant === grant));
  for (const { grant, startsAt, endsAt } of moved) left.push({ ...grant, startsAt, endsAt });
  for (const { endId: id, tier, purchaseId, remaining } of change.givenBack) {
    const startsAt = startAfter(left, tier, now);
    const times = { startsAt, endsAt: after(startsAt, remaining), endedAt: null };
    left.push({ id, tier, source: "credit-returned", sourceId: id, purchaseId, reason: null, ...times });
  }
  return computeAccess(left, now);
}

/** Gives replaced days back from now on, after what the student has of the same tier. Returns when they begin and end. */
export async function giveBackDays(
  db: Db,
  userId: string,
  { endId, tier, purchaseId, remaining }: ReplacedDays,
  reason: string,
  now: Date,
): Promise<{ startsAt: Date; endsAt: Date }> {
  const startsAt = await nextStart(db, userId, tier, now);
  const endsAt = after(startsAt, remaining);
  const source = "credit-returned";
  await recordGrant(db, { userId, tier, source, sourceId: endId, purchaseId, startsAt, endsAt, reason }, now);
  return { startsAt, endsAt };
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
  await endGrants(db, gift.userId, higher, { reason: "an administrator changed the tier" }, now);
  const { userId, tier, endsAt, reason, actionId } = gift;
  await recordGrant(
    db,
    { userId, tier, source: "administrator", sourceId: actionId, purchaseId: null, startsAt: now, endsAt, reason },
    now,
  );
}

/** Only while it counts and nothing was granted after it. @throws Refusal conflict. */
export async function endGift(
  db: Db,
  gift: { readonly userId: string; readonly actionId: string; readonly reason: string },
  now: Date,
): Promise<void> {
  const ofUser = await listGrants(db, gift.userId);
  const given = ofUser.filter((grant) => grant.source === "administrator" && grant.sourceId === gift.actionId);
  if (!isUntouchedGift(ofUser, gift.actionId, now)) {
    throw new Refusal("conflict", "What was given has ended, or something was bought or given since.");
  }
  await endGrants(db, gift.userId, given, { reason: gift.reason }, now);
  await refreshAccessCache(db, gift.userId, now);
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
  why: { readonly reason: string; readonly replacedBy?: string },
  now: Date,
): Promise<string[]> {
  const ends: string[] = [];
  for (const grant of ending) {
    const end = endOf(grant);
    if (end !== null && end <= now) continue;
    const values = { ...why, grantId: grant.id, endsAt: now, createdAt: now };
    const [row] = await db.insert(grantEnds).values(values).returning({ id: grantEnds.id });
    if (!row) continue;
    ends.push(row.id);
    await scheduleJob(db, accessEndedJob, { data: { userId }, key: `${userId}:${row.id}`, runAt: now, now });
  }
  return ends;
}

/** After the grants of that tier, so that no paid time is lost; else now. */
export async function nextStart(db: Db, userId: string, tier: Tier, now: Date): Promise<Date> {
  return startAfter(await listGrants(db, userId), tier, now);
}

function startAfter(grants: readonly Grant[], tier: Tier, now: Date): Date {
  const ofTier = grants.filter((grant) => grant.tier === tier);
  const ends = ofTier.flatMap((grant) => endOf(grant) ?? []).filter((end) => end > now);
  return ofTier.some((grant) => isInForce(grant, now)) && ends.length > 0
    ? new Date(Math.max(...ends.map((end) => end.getTime())))
    : now;
}

/** Returns the id of its end, or null when it had ended already. */
export async function endGrant(db: Db, grantId: string, reason: string, now: Date): Promise<string | null> {
  const [grant] = await find.findGrant(db, grantId);
  const ending = grant && (await listGrants(db, grant.userId)).find(({ id }) => id === grantId);
  if (!ending) return null;
  const [end] = await endGrants(db, grant.userId, [ending], { reason }, now);
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

/** The grant counts again for what was left of it: from that instant, or after what has begun in its place. Safe to repeat. */
export async function undoEnd(db: Db, endId: string, reason: string, now: Date): Promise<void> {
  const found = await find.findEnd(db, endId);
  if (!found) return;
  const { userId, tier, purchaseId, startsAt, endsAt } = found.grant;
  const from = startsAt > found.endsAt ? startsAt : found.endsAt;
  const isOfAnother = (other: Grant) => other.purchaseId !== null && other.purchaseId !== purchaseId;
  const others = purchaseId === null ? [] : (await listGrants(db, userId)).filter(isOfAnother);
  const free = startAfter(others, tier, found.endsAt);
  const begins = free > from ? free : from;
  const period = { startsAt: begins, endsAt: endsAt && after(begins, endsAt.getTime() - from.getTime()) };
  await continueGrant(db, found.grant, { endId, reason, ...period }, now);
}

/** Under the id of the end that it makes up for. */
function continueGrant(
  db: Db,
  { userId, tier, source, purchaseId }: Pick<Grant, "tier" | "source" | "purchaseId"> & { readonly userId: string },
  how: { readonly endId: string; readonly startsAt: Date; readonly endsAt: Date | null; readonly reason: string },
  now: Date,
): Promise<void> {
  const { endId: sourceId, ...period } = how;
  const kept = source === "administrator" || source === "credit-returned" ? source : "purchase";
  return recordGrant(db, { userId, tier, source: kept, sourceId, purchaseId, ...period }, now);
}
