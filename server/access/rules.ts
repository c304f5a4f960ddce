import { blockedStatuses } from "#contract/access.ts";
import { type Tier, tierRank, tiers } from "#contract/tiers.ts";

export interface Grant {
  readonly id: string;
  readonly tier: Tier;
  readonly source: string;
  readonly sourceId: string;
  readonly purchaseId: string | null;
  readonly reason: string | null;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
  /** The earliest recorded end. */
  readonly endedAt: Date | null;
}

/** The part of a grant that determines access. */
export type AccessGrant = Pick<Grant, "id" | "tier" | "source" | "startsAt" | "endsAt" | "endedAt">;

/** The part of a grant with its tier and times. */
export type Period = Pick<Grant, "tier" | "purchaseId" | "startsAt" | "endsAt" | "endedAt">;

export interface Access {
  readonly since: Date | null;
  readonly tier: Tier | null;
  readonly source: string | null;
  /** By the current grants. Null when access never ends, or without a tier. */
  readonly until: Date | null;
}

/** The sources of what is given, not paid. */
export const giftSources: readonly string[] = ["administrator", "import"];

export function isGift({ source }: Pick<Grant, "source">): boolean {
  return giftSources.includes(source);
}

/** Its own end or the recorded one, whichever is earlier. Null: never. */
export function endOf(grant: Pick<Period, "endsAt" | "endedAt">): Date | null {
  if (!grant.endsAt || !grant.endedAt) return grant.endsAt ?? grant.endedAt;
  return grant.endsAt < grant.endedAt ? grant.endsAt : grant.endedAt;
}

/**
 * Whether a gift is in force, and no later grant is or will be: a period that was bought since may begin where the
 * gift ends.
 * @param grants in the order in which they were written
 */
export function isUntouchedGift(grants: readonly Grant[], actionId: string, now: Date): boolean {
  const at = grants.findIndex(({ source, sourceId }) => source === "administrator" && sourceId === actionId);
  return (
    at >= 0 && grants.slice(at).every((grant, after) => (after === 0 ? isInForce(grant, now) : isOver(grant, now)))
  );
}

function isOver(grant: Grant, now: Date): boolean {
  const end = endOf(grant);
  return end !== null && (end <= now || end <= grant.startsAt);
}

/** The end is exclusive. */
export function isInForce(grant: AccessGrant, now: Date): boolean {
  const end = endOf(grant);
  return grant.startsAt <= now && (end === null || now < end);
}

/** Grants of the highest tier that overlap or follow without a gap extend its end: two years read as one period. */
export function computeAccess(grants: readonly AccessGrant[], now: Date): Access {
  const inForce = grants.filter((grant) => isInForce(grant, now));
  const best = inForce.toSorted(
    (a, b) =>
      tierRank(b.tier) - tierRank(a.tier) ||
      endTime(b) - endTime(a) ||
      a.startsAt.getTime() - b.startsAt.getTime() ||
      a.id.localeCompare(b.id),
  )[0];
  if (!best) return { tier: null, source: null, since: null, until: null };
  const sameTier = grants
    .filter((grant) => grant.tier === best.tier && grant.startsAt > now)
    .toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
  let until = endOf(best);
  for (const grant of sameTier) {
    if (until === null || grant.startsAt > until) break;
    const end = endOf(grant);
    if (end === null || end > until) until = end;
  }
  return { tier: best.tier, source: best.source, since: best.startsAt, until };
}

/**
 * The earliest start at which days of a tier do not overlap paid time of a higher tier. Gifts, and paid time that
 * never ends, do not postpone it.
 */
export function endOfHigher(grants: readonly Grant[], tier: Tier, now: Date): Date {
  const higher = grants
    .filter((grant) => tierRank(grant.tier) > tierRank(tier) && !isGift(grant))
    .toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
  let free = now;
  for (const grant of higher) {
    const end = endOf(grant);
    if (end === null && grant.startsAt <= free) return now;
    if (end !== null && grant.startsAt <= free && end > free) free = end;
  }
  return free;
}

export interface Moved {
  readonly grant: Grant;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/** Call after a grant of a tier has ended. Lists moves of this tier and lower ones, the higher first. */
export function listMovedBelow(grants: readonly Grant[], tier: Tier, now: Date): Moved[] {
  const all: Moved[] = [];
  for (const lower of tiers.slice(0, tierRank(tier)).toReversed()) {
    const isMoved = (grant: Grant) => all.some((one) => one.grant === grant);
    const moved = all.map(({ grant, startsAt, endsAt }) => ({ ...grant, startsAt, endsAt }));
    all.push(...listMoved([...grants.filter((grant) => !isMoved(grant)), ...moved], lower, now));
  }
  return all;
}

/**
 * Paid grants of a tier that could begin earlier, with the times at which they would follow the previous one.
 * @internal
 */
export function listMoved(grants: readonly Grant[], tier: Tier, now: Date): Moved[] {
  const inForce = grants.filter((grant) => grant.tier === tier && isInForce(grant, now));
  let free = Math.max(endOfHigher(grants, tier, now).getTime(), ...inForce.map(endTime));
  const later = grants
    .filter((grant) => grant.tier === tier && grant.startsAt > now && !isOver(grant, now))
    .filter((grant) => !isGift(grant) && grant.source !== "grace" && grant.endsAt !== null)
    .toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
  return later.flatMap((grant) => {
    const start = Math.min(free, grant.startsAt.getTime());
    const end = start + endTime(grant) - grant.startsAt.getTime();
    free = Math.max(free, end);
    return start < grant.startsAt.getTime() ? { grant, startsAt: new Date(start), endsAt: new Date(end) } : [];
  });
}

/** `endsAt` is exclusive. Null: for ever. */
export interface Interval {
  readonly startsAt: Date;
  readonly endsAt: Date | null;
  /** Null for a gift. */
  readonly purchaseId: string | null;
}

/** Grants that overlap or touch are one interval. */
export function intervalsOf(grants: readonly Period[], tier: Tier): Interval[] {
  const inOrder = grants
    .filter((grant) => grant.tier === tier && endTime(grant) > grant.startsAt.getTime())
    .toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime() || compareText(a.purchaseId, b.purchaseId));
  const intervals: { startsAt: Date; endsAt: Date | null; purchaseId: string | null }[] = [];
  for (const grant of inOrder) {
    const last = intervals.at(-1);
    const end = endOf(grant);
    if (!last || (last.endsAt !== null && last.endsAt < grant.startsAt)) {
      intervals.push({ startsAt: grant.startsAt, endsAt: end, purchaseId: grant.purchaseId });
    } else if (last.endsAt !== null && (end === null || end > last.endsAt)) last.endsAt = end;
  }
  return intervals;
}

function compareText(one: string | null, other: string | null): number {
  return (one ?? "").localeCompare(other ?? "");
}

/** The last end of grants that are not over. Null: one of them never ends, or all are over. */
export function lastEnd(grants: readonly Grant[], now: Date): Date | null {
  const ends = grants.filter((grant) => !isOver(grant, now)).map(endOf);
  const last = Math.max(...ends.map((end) => end?.getTime() ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(last) ? new Date(last) : null;
}

/** However short. */
export function hasOpened(grants: readonly Grant[], now: Date): boolean {
  return grants.some((grant) => {
    const end = endOf(grant);
    return grant.startsAt <= now && (end === null || end > grant.startsAt);
  });
}

function endTime(grant: Pick<Period, "endsAt" | "endedAt">): number {
  return endOf(grant)?.getTime() ?? Number.MAX_SAFE_INTEGER;
}

/** Unknown statuses do not block. */
export function isBlocked(accountStatus: string): boolean {
  return accountStatus === "deleted" || blockedStatuses.includes(accountStatus);
}

export interface GrantEnd {
  readonly id: string;
  readonly grantId: string;
  readonly endsAt: Date;
  /** The purchase of a higher tier that replaced the grant. */
  readonly replacedBy: string | null;
}

/** A grant as first given, and the last grant that continues it after its end was undone or its days given back. */
export interface Continued {
  readonly first: Grant;
  readonly last: Grant;
}

/**
 * Each grant with the one by which it counts now: itself, or the last that continues it. Skips grants that were ended
 * for good.
 */
export function listContinued(grants: readonly Grant[], ends: readonly GrantEnd[]): Continued[] {
  const endIds = new Set(ends.map(({ id }) => id));
  return grants
    .filter(({ sourceId }) => !endIds.has(sourceId))
    .flatMap((first) => {
      const last = continuationOf(first, grants, ends);
      return last ? [{ first, last }] : [];
    });
}

/** The grants that an upgrade replaced and that nothing continues, with the grants that first gave them. */
export function listReplaced(
  grants: readonly Grant[],
  ends: readonly GrantEnd[],
  purchaseId: string,
): (Continued & { readonly end: GrantEnd })[] {
  const byId = new Map(grants.map((grant) => [grant.id, grant]));
  const continued = new Set(grants.map(({ sourceId }) => sourceId));
  return ends
    .filter((end) => end.replacedBy === purchaseId && !continued.has(end.id))
    .flatMap((end) => {
      const last = byId.get(end.grantId);
      return last ? [{ first: firstOf(last, byId, ends), last, end }] : [];
    });
}

function continuationOf(grant: Grant, grants: readonly Grant[], ends: readonly GrantEnd[]): Grant | null {
  const cuts = ends.filter((end) => end.grantId === grant.id && (grant.endsAt === null || end.endsAt < grant.endsAt));
  if (cuts.length === 0) return grant;
  const next = grants.find(({ sourceId }) => cuts.some(({ id }) => id === sourceId));
  return next ? continuationOf(next, grants, ends) : null;
}

/** The grants that continue what these ends cut off, transitively. */
export function listContinuing(
  grants: readonly Grant[],
  ends: readonly GrantEnd[],
  endIds: ReadonlySet<string>,
): Grant[] {
  const found = grants.filter(({ sourceId }) => endIds.has(sourceId));
  if (found.length === 0) return [];
  const cuts = ends.filter(({ grantId }) => found.some(({ id }) => id === grantId));
  return [...found, ...listContinuing(grants, ends, new Set(cuts.map(({ id }) => id)))];
}

function firstOf(grant: Grant, byId: ReadonlyMap<string, Grant>, ends: readonly GrantEnd[]): Grant {
  const before = byId.get(ends.find(({ id }) => id === grant.sourceId)?.grantId ?? "");
  return before ? firstOf(before, byId, ends) : grant;
}
