import { blockedStatuses } from "#contract/access.ts";
import type { UserRights } from "#contract/admin/users.ts";
import { type Tier, tiers } from "#contract/tiers.ts";

/** What decides which actions on a user make sense. */
export interface UserState {
  readonly tier: Tier | null;
  readonly accountStatus: string;
  /** A subscription renews. */
  readonly renews: boolean;
  /** A subscription that renews and whose payment is not declined; null when there is none. */
  readonly holdable: string | null;
  /** The payment of a subscription is declined. */
  readonly isDeclined: boolean;
  /** The administrator who asks. */
  readonly isSelf: boolean;
  readonly isAdmin: boolean;
  readonly administrators: number;
}

/** What an administrator may do with a user. */
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
