import { blockedStatuses } from "#contract/access.ts";
import type { UserRights } from "#contract/admin/users.ts";
import { type Tier, tiers } from "#contract/tiers.ts";

export interface UserState {
  readonly tier: Tier | null;
  readonly accountStatus: string;
  readonly renews: boolean;
  /** Null when there is none. */
  readonly holdable: string | null;
  readonly isDeclined: boolean;
  readonly isSelf: boolean;
  readonly isAdmin: boolean;
  readonly administrators: number;
}

export function rightsOver(user: UserState): UserRights {
  const isBlocked = blockedStatuses.includes(user.accountStatus);
  const rank = user.tier === null ? -1 : tiers.indexOf(user.tier);
  return {
    upgradeTo: user.tier === null ? null : (tiers[rank + 1] ?? null),
    downgradeTo: tiers[rank - 1] ?? null,
    cancelSubscription: user.tier === "basic" && user.renews,
    hold: isBlocked || user.isSelf ? null : user.holdable,
    suspend: user.accountStatus !== "suspended" && !user.isSelf,
    reactivate: isBlocked || user.isDeclined,
    delete: !user.isSelf && !(user.isAdmin && user.administrators < 2),
  };
}

/**
 * Whether a tier until `endsAt` (null: for good) gives somebody anything that they do not have: `tier` until `until` is
 * what they have.
 */
export function changesTier(
  has: { readonly tier: Tier | null; readonly until: Date | null },
  gift: { readonly tier: Tier; readonly endsAt: Date | null },
): boolean {
  if (has.tier !== gift.tier) return true;
  if (has.until === null) return false;
  return gift.endsAt === null || gift.endsAt > has.until;
}
