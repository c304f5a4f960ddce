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
  if (isBlocked(holder.accountStatus)) return { fate: "refused", reason: "The account is on hold or suspended." };
  const addsLessons = brought.completed.some((id) => !holder.completed.has(id));
  if (addsPlan(holder, brought, now) || addsLessons) return { fate: "changed", reason: null };
  const reason = holder.pays && brought.tier ? "They pay for a membership, so their plan stays as it is." : null;
  return { fate: "same", reason };
}

/** For an address that nobody has confirmed. @param open the invitation that it has */
export function decideInvitation(open: Brought | null, brought: Brought, now: Date): Decision {
  if (!open) return { fate: "new", reason: null };
  const merged = merge(open, brought, now);
  const isSame =
    merged.tier === open.tier &&
    endTime(merged.endsAt) === endTime(open.endsAt) &&
    merged.completed.length === open.completed.length;
  return isSame ? { fate: "same", reason: "They were invited before." } : { fate: "changed", reason: null };
}

/** The better of both plans, and the lessons of both. */
export function merge(open: Brought, brought: Brought, now: Date): Brought {
  const worthOf = ({ tier, endsAt }: Brought) =>
    tier ? [tierRank(tier), endTime(endAt({ tier, endsAt, completed: [] }, tier, now))] : [0, 0];
  const [[rank = 0, end = 0], [newRank = 0, newEnd = 0]] = [worthOf(open), worthOf(brought)];
  const isBetter = newRank > rank || (newRank === rank && newEnd > end);
  const { tier, endsAt } = isBetter ? brought : open;
  return { tier, endsAt, completed: [...new Set([...open.completed, ...brought.completed])] };
}

function endTime(end: Date | null): number {
  return end?.getTime() ?? Number.POSITIVE_INFINITY;
}
