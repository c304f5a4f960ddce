import type { Fate } from "#contract/admin/imports.ts";
import { type Tier, tierRank } from "#contract/tiers.ts";
import { endOf, type Grant, isBlocked } from "#server/access/access.ts";
import { periodEnd } from "#server/purchases/periods.ts";

/** What an import gives somebody. */
export interface Brought {
  readonly tier: Tier | null;
  /** Null: as long as the plan lasts. */
  readonly endsAt: Date | null;
  /** The ids of lessons that were completed elsewhere. */
  readonly completed: readonly string[];
}

/** What somebody with a confirmed account has. */
export interface Holder {
  readonly id: string;
  readonly accountStatus: string;
  readonly grants: readonly Grant[];
  /** Whether a subscription renews, or waits for a payment. */
  readonly pays: boolean;
  readonly completed: ReadonlySet<string>;
}

export interface Decision {
  readonly fate: Fate;
  readonly reason: string | null;
}

/** The same for the same plan and end, so that a file that is imported twice gives once. */
export function grantIdOf(userId: string, { tier, endsAt }: Brought): string {
  return [userId, tier, endsAt?.toISOString() ?? "as long as the plan lasts"].join(" ");
}

/** Whether the plan adds to what somebody has. It never takes anything away. */
export function addsPlan({ id, grants, pays }: Holder, brought: Brought, now: Date): boolean {
  const { tier } = brought;
  if (!tier || pays) return false;
  const grantId = grantIdOf(id, brought);
  const end = endTime(endAt(brought, tier, now));
  if (end <= now.getTime()) return false;
  return !grants.some((grant) => {
    if (grant.source === "import" && grant.sourceId === grantId) return true;
    const covers = tierRank(grant.tier) >= tierRank(tier) && endTime(endOf(grant)) >= end;
    return covers && endTime(endOf(grant)) > now.getTime();
  });
}

/** Null: never. */
export function endAt({ endsAt }: Brought, tier: Tier, now: Date): Date | null {
  return endsAt ?? periodEnd(tier, now);
}

export function decideFor(holder: Holder, brought: Brought, now: Date): Decision {
  if (isBlocked(holder.accountStatus)) return { fate: "refused", reason: blockedReason };
  const waits = planWaitsFor(holder, brought, now) ? planWaitsReason : null;
  const addsLessons = brought.completed.some((id) => !holder.completed.has(id));
  if (addsPlan(holder, brought, now) || addsLessons) return { fate: "changed", reason: waits };
  if (isEnded(brought, now)) return { fate: "same", reason: "The access has ended." };
  if (waits) return { fate: "same", reason: waits };
  const reason = holder.pays && brought.tier ? "They pay for a membership, so their plan stays as it is." : null;
  return { fate: "same", reason };
}

export const blockedReason = "The account is on hold or suspended.";
export const planWaitsReason = "They pay for a membership. The plan waits for a sign-in after it ends.";

/** Whether somebody would get the plan if they did not pay for a membership that renews. */
export function planWaitsFor(holder: Holder, brought: Brought, now: Date): boolean {
  return holder.pays && !isBlocked(holder.accountStatus) && addsPlan({ ...holder, pays: false }, brought, now);
}

function isEnded({ endsAt }: Brought, now: Date): boolean {
  return endsAt !== null && endsAt <= now;
}

/** For an address that nobody has confirmed. @param open the invitation that it has */
export function decideInvitation(open: Brought | null, brought: Brought, now: Date): Decision {
  if (!open) return { fate: "new", reason: null };
  const [one, other] = [worthOf(open, now), worthOf(brought, now)];
  if ((one.rank - other.rank) * compare(one.end, other.end) < 0) {
    const reason =
      "An earlier list promises them another plan. One is higher, the other lasts longer: keep only one of them.";
    return { fate: "refused", reason };
  }
  const merged = merge(open, brought, now);
  const isSame =
    merged.tier === open.tier &&
    endTime(merged.endsAt) === endTime(open.endsAt) &&
    merged.completed.length === open.completed.length;
  return isSame ? { fate: "same", reason: "They were invited before." } : { fate: "changed", reason: null };
}

/** The better of both plans, and the lessons of both. */
export function merge(open: Brought, brought: Brought, now: Date): Brought {
  const [one, other] = [worthOf(open, now), worthOf(brought, now)];
  const isBetter = other.rank > one.rank || (other.rank === one.rank && other.end > one.end);
  const { tier, endsAt } = isBetter ? brought : open;
  return { tier, endsAt, completed: [...new Set([...open.completed, ...brought.completed])] };
}

/** Rank and end of the plan; nothing without one, or once it has ended. */
function worthOf(brought: Brought, now: Date): { readonly rank: number; readonly end: number } {
  const { tier } = brought;
  if (!tier || isEnded(brought, now)) return { rank: 0, end: 0 };
  return { rank: tierRank(tier), end: endTime(endAt(brought, tier, now)) };
}

/** Infinite ends are equal. */
function compare(one: number, other: number): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

function endTime(end: Date | null): number {
  return end?.getTime() ?? Number.POSITIVE_INFINITY;
}
