import { z } from "zod";
import { type Tier, tierRank } from "#contract/tiers.ts";
import { after } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Db } from "#server/db/db.ts";
import { defineJob, scheduleJob, scheduleJobs } from "#server/jobs/jobs.ts";
import { announceAccess } from "./access-events.ts";
import { accessChangedJob, refreshAccessCache } from "./cached-tiers.ts";
import * as find from "./queries.ts";
import { listGrants } from "./queries.ts";
import { endOf, type Grant, isGift, isInForce, isUntouchedGift, listMovedBelow, type Moved } from "./rules.ts";
import { type GrantSource, grantEnds, grants } from "./tables.ts";

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
  await announceAccess(db, userId, now);
  const changes = [grant.startsAt, grant.endsAt].filter((at) => at !== null).filter((at) => at > now);
  await scheduleJobs(
    db,
    accessChangedJob,
    changes.map((runAt) => ({ data: { userId }, key: `${userId}:${runAt.toISOString()}`, runAt, now })),
  );
}

/** Ends the grants of a purchase now; one that has not begun never begins. */
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

/** Moves later paid grants of a tier, and of lower ones, forward to where an earlier one has ended. */
export async function closeGaps(
  db: Db,
  { userId, tier }: { readonly userId: string; readonly tier: Tier },
  now: Date,
): Promise<Moved[]> {
  const moved = listMovedBelow(await listGrants(db, userId), tier, now);
  for (const { grant, startsAt, endsAt } of moved) {
    const [endId] = await endGrants(db, userId, [grant], { reason: "begins earlier" }, now);
    if (!endId) continue;
    await continueGrant(db, { ...grant, userId }, { endId, startsAt, endsAt, reason: "what was before it ended" }, now);
  }
  return moved;
}

/** Ends all grants of higher tiers, also those that have not begun. Lower tiers that are paid count again after the gift. */
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

/** The reason of a gift's end, by which the books know that an administrator ended it. */
export const takenBack = "an administrator took it back";

/** Ends a gift, while it is in force and nothing was granted after it. @throws Refusal conflict. */
export async function endGift(
  db: Db,
  gift: { readonly userId: string; readonly actionId: string },
  now: Date,
): Promise<void> {
  const ofUser = await listGrants(db, gift.userId);
  const given = ofUser.filter((grant) => grant.source === "administrator" && grant.sourceId === gift.actionId);
  if (!isUntouchedGift(ofUser, gift.actionId, now)) {
    throw new Refusal("conflict", "This access has ended, or the student has bought or been given something since.");
  }
  await endGrants(db, gift.userId, given, { reason: takenBack }, now);
  await refreshAccessCache(db, gift.userId, now);
}

/** Runs as soon as a grant is ended early. */
export const accessEndedJob = defineJob("access-ended", z.object({ userId: z.string() }));

export async function endGrants(
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
  if (ends.length > 0) await announceAccess(db, userId, now);
  return ends;
}

/** The start of a new grant of the tier: after the grants that the student has of it, so that no paid time is lost; else now. */
export async function nextStart(db: Db, userId: string, tier: Tier, now: Date): Promise<Date> {
  return startAfter(await listGrants(db, userId), tier, now);
}

export function startAfter(grants: readonly Grant[], tier: Tier, now: Date): Date {
  const ofTier = grants.filter((grant) => grant.tier === tier);
  const ends = ofTier.flatMap((grant) => endOf(grant) ?? []).filter((end) => end > now);
  return ofTier.some((grant) => isInForce(grant, now)) && ends.length > 0
    ? new Date(Math.max(...ends.map((end) => end.getTime())))
    : now;
}

/** Ends a grant now. Returns the id of the recorded end, or null when the grant had ended before. */
export async function endGrant(db: Db, grantId: string, reason: string, now: Date): Promise<string | null> {
  const [grant] = await find.findGrant(db, grantId);
  const ending = grant && (await listGrants(db, grant.userId)).find(({ id }) => id === grantId);
  if (!ending) return null;
  const [end] = await endGrants(db, grant.userId, [ending], { reason }, now);
  await refreshAccessCache(db, grant.userId, now);
  return end ?? null;
}

/** The recorded ends of a purchase's grants that nobody has undone, without grace periods and ends by an administrator. */
export function listEndsOf(
  db: Db,
  of: { readonly userId: string; readonly purchaseId: string },
): Promise<{ id: string }[]> {
  return find.listEndsOf(db, of);
}

/** Restores what was left of a grant when it was ended: from then, or after what has begun in its place. Safe to repeat. */
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

/** Records a grant that makes up for a recorded end, whose id is its source id. */
function continueGrant(
  db: Db,
  { userId, tier, source, purchaseId }: Pick<Grant, "tier" | "source" | "purchaseId"> & { readonly userId: string },
  how: { readonly endId: string; readonly startsAt: Date; readonly endsAt: Date | null; readonly reason: string },
  now: Date,
): Promise<void> {
  const { endId: sourceId, ...period } = how;
  const kept = isGift({ source }) || source === "credit-returned" ? (source as GrantSource) : "purchase";
  return recordGrant(db, { userId, tier, source: kept, sourceId, purchaseId, ...period }, now);
}
