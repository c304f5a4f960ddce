import { type Tier, tierRank } from "#contract/tiers.ts";
import { after } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import { refreshAccessCache } from "./cached-tiers.ts";
import { endGrants, recordGrant, startAfter } from "./grants.ts";
import * as find from "./queries.ts";
import { listGrants } from "./queries.ts";
import {
  type Access,
  computeAccess,
  endOfHigher,
  type Grant,
  isGift,
  listContinuing,
  listMovedBelow,
  listReplaced as listReplacedOf,
} from "./rules.ts";

/** Ends paid grants of lower tiers now and records which purchase replaced them. Gifts stay. */
export async function replaceLowerTiers(
  db: Db,
  by: { readonly userId: string; readonly tier: Tier; readonly purchaseId: string },
  now: Date,
): Promise<void> {
  const { userId, tier, purchaseId } = by;
  const lower = (await listGrants(db, userId)).filter(
    (grant) => !isGift(grant) && tierRank(grant.tier) < tierRank(tier),
  );
  const why = { reason: "a higher plan took its place", replacedBy: purchaseId };
  const ends = await endGrants(db, userId, lower, why, now);
  if (ends.length > 0) await refreshAccessCache(db, userId, now);
}

/** Paid days that an upgrade replaced and that can be given back. */
export interface ReplacedDays {
  /** The id of the recorded end of their grant. */
  readonly endId: string;
  readonly tier: Tier;
  readonly purchaseId: string | null;
  /** Milliseconds. */
  readonly remaining: number;
}

/** The days that a purchase replaced and nobody has given back, the earliest first, without grace periods. */
export async function listReplaced(
  db: Db,
  by: { readonly userId: string; readonly purchaseId: string },
): Promise<ReplacedDays[]> {
  const replaced = listReplacedOf(await listGrants(db, by.userId), await find.listEnds(db, by.userId), by.purchaseId);
  return replaced
    .toSorted((a, b) => a.last.startsAt.getTime() - b.last.startsAt.getTime())
    .flatMap(({ last, end }) => {
      if (last.endsAt === null || last.source === "grace") return [];
      const remaining = last.endsAt.getTime() - Math.max(end.endsAt.getTime(), last.startsAt.getTime());
      const { tier, purchaseId } = last;
      return remaining > 0 ? [{ endId: end.id, tier, purchaseId, remaining }] : [];
    });
}

/** The ids of the purchases that replaced grants of this one. */
export async function listReplacers(
  db: Db,
  of: { readonly userId: string; readonly purchaseId: string },
): Promise<string[]> {
  const ofPurchase = (await listGrants(db, of.userId)).filter(({ purchaseId }) => purchaseId === of.purchaseId);
  const ids = new Set(ofPurchase.map(({ id }) => id));
  const ends = (await find.listEnds(db, of.userId)).filter(({ grantId }) => ids.has(grantId));
  return [...new Set(ends.flatMap(({ replacedBy }) => replacedBy ?? []))];
}

/** Ends days that were given back for a purchase which counts as paid again. */
export async function replaceAgain(
  db: Db,
  by: { readonly userId: string; readonly purchaseId: string },
  now: Date,
): Promise<void> {
  const { userId, purchaseId } = by;
  const ends = await find.listEnds(db, userId);
  const ids = ends.filter(({ replacedBy }) => replacedBy === purchaseId).map(({ id }) => id);
  const givenBack = listContinuing(await listGrants(db, userId), ends, new Set(ids));
  await endGrants(db, userId, givenBack, { reason: "a higher plan took its place again", replacedBy: purchaseId }, now);
  await refreshAccessCache(db, userId, now);
}

/** The access that a student would have now without one of their purchases and with days given back. */
export async function accessWith(
  db: Db,
  userId: string,
  change: { readonly withoutPurchaseId: string; readonly givenBack: readonly ReplacedDays[] },
  now: Date,
): Promise<Access> {
  const all: readonly Grant[] = await listGrants(db, userId);
  const others = all.filter(({ purchaseId }) => purchaseId !== change.withoutPurchaseId);
  const ended = all.find(({ purchaseId }) => purchaseId === change.withoutPurchaseId);
  const moved = ended ? listMovedBelow(others, ended.tier, now) : [];
  const left = others.filter((grant) => !moved.some((one) => one.grant === grant));
  for (const { grant, startsAt, endsAt } of moved) left.push({ ...grant, startsAt, endsAt });
  for (const { endId: id, tier, purchaseId, remaining } of change.givenBack) {
    const startsAt = startOfReturned(left, tier, now);
    const times = { startsAt, endsAt: after(startsAt, remaining), endedAt: null };
    left.push({ id, tier, source: "credit-returned", sourceId: id, purchaseId, reason: null, ...times });
  }
  return computeAccess(left, now);
}

/** Gives replaced days back, after what the student has of the same tier and has paid of higher ones. Returns their period. */
export async function giveBackDays(
  db: Db,
  userId: string,
  { endId, tier, purchaseId, remaining }: ReplacedDays,
  reason: string,
  now: Date,
): Promise<{ startsAt: Date; endsAt: Date }> {
  const startsAt = startOfReturned(await listGrants(db, userId), tier, now);
  const endsAt = after(startsAt, remaining);
  const source = "credit-returned";
  await recordGrant(db, { userId, tier, source, sourceId: endId, purchaseId, startsAt, endsAt, reason }, now);
  return { startsAt, endsAt };
}

function startOfReturned(grants: readonly Grant[], tier: Tier, now: Date): Date {
  return startAfter(grants, tier, endOfHigher(grants, tier, now));
}
