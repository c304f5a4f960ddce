import { blockedStatuses } from "#contract/access.ts";
import { type Tier, tierRank } from "#contract/tiers.ts";

/** A grant with the earliest of the ends that cut it short. */
export interface Grant {
  readonly id: string;
  readonly tier: Tier;
  readonly source: string;
  readonly sourceId: string;
  readonly purchaseId: string | null;
  readonly reason: string | null;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
  /** The earliest of its recorded ends. */
  readonly endedAt: Date | null;
}

export interface Access {
  /** When the grant that gives it began; null when there is none. */
  readonly since: Date | null;
  /** The highest tier in force, or null. */
  readonly tier: Tier | null;
  /** The grant that gives it. */
  readonly source: string | null;
  /** When the tier ends by the grants known today; null when it never does, or when there is none. */
  readonly until: Date | null;
}

/** When a grant stops counting: at its own end or a recorded one, the earlier of both; null: never. */
export function endOf(grant: Grant): Date | null {
  if (!grant.endsAt || !grant.endedAt) return grant.endsAt ?? grant.endedAt;
  return grant.endsAt < grant.endedAt ? grant.endsAt : grant.endedAt;
}

/** A grant counts from its start and up to, not including, its end. */
export function isInForce(grant: Grant, now: Date): boolean {
  const end = endOf(grant);
  return grant.startsAt <= now && (end === null || now < end);
}

/**
 * What the ledger gives at `now`: the highest tier in force. Grants of that tier that overlap or follow it without a gap
 * extend its end, so that a year bought early reads as one long period.
 */
export function computeAccess(grants: readonly Grant[], now: Date): Access {
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

/** From `startsAt` up to, not including, `endsAt`; null: for ever. */
export interface Stretch {
  readonly startsAt: Date;
  readonly endsAt: Date | null;
  /** The purchase of the grant that it begins with; null for a gift. */
  readonly purchaseId: string | null;
}

/** When a tier was, is or will be in force by these grants: grants of it that overlap or touch are one stretch. */
export function stretchesOf(grants: readonly Grant[], tier: Tier): Stretch[] {
  const inOrder = grants
    .filter((grant) => grant.tier === tier && endTime(grant) > grant.startsAt.getTime())
    .toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime() || a.id.localeCompare(b.id));
  const stretches: { startsAt: Date; endsAt: Date | null; purchaseId: string | null }[] = [];
  for (const grant of inOrder) {
    const last = stretches.at(-1);
    const end = endOf(grant);
    if (!last || (last.endsAt !== null && last.endsAt < grant.startsAt)) {
      stretches.push({ startsAt: grant.startsAt, endsAt: end, purchaseId: grant.purchaseId });
    } else if (last.endsAt !== null && (end === null || end > last.endsAt)) last.endsAt = end;
  }
  return stretches;
}

/** Whether any grant has opened the course by `now`, for however short a time. */
export function hasOpened(grants: readonly Grant[], now: Date): boolean {
  return grants.some((grant) => {
    const end = endOf(grant);
    return grant.startsAt <= now && (end === null || end > grant.startsAt);
  });
}

/** Sorts an end that never comes after every date. */
function endTime(grant: Grant): number {
  return endOf(grant)?.getTime() ?? Number.MAX_SAFE_INTEGER;
}

/** Held, suspended and deleted accounts may not use the course; statuses that the product does not know do not block. */
export function isBlocked(accountStatus: string): boolean {
  return accountStatus === "deleted" || blockedStatuses.includes(accountStatus);
}
