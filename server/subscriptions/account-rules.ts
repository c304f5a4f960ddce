import { roleMay } from "#contract/permissions.ts";
import type { StaffRole } from "#contract/roles.ts";
import { type Tier, tierRank } from "#contract/tiers.ts";

export interface Target {
  /** Named by ADMIN_EMAILS. */
  readonly isRoot: boolean;
  readonly role: StaffRole | null;
  readonly isCoach: boolean;
}

/** Whether somebody with the role `actor` may close this account (hold, suspend, delete, sign out) or reopen it. */
export function mayManage(actor: StaffRole | null, { isRoot, role, isCoach }: Target, to: "close" | "open"): boolean {
  if (isRoot && to === "close") return false;
  if (isRoot || role) return roleMay(actor, "team:write");
  return isCoach ? roleMay(actor, "coaching:manage") : actor !== null;
}

/** Support reopens only what support has closed. Reopening after an unpaid renewal takes the right to give access. */
export function mayReopen(
  actor: StaffRole | null,
  { isClosedBySupport, isUnpaid }: { readonly isClosedBySupport: boolean; readonly isUnpaid: boolean },
): boolean {
  return roleMay(actor, "access:give") || (isClosedBySupport && !isUnpaid);
}

/** Whether a gift gives another tier than the student has, or the same one for longer. Null dates: for ever. */
export function changesTier(
  has: { readonly tier: Tier | null; readonly until: Date | null },
  gift: { readonly tier: Tier; readonly endsAt: Date | null },
): boolean {
  if (has.tier !== gift.tier) return true;
  if (has.until === null) return false;
  return gift.endsAt === null || gift.endsAt > has.until;
}

/** Whether a student has the gift's tier, or a higher one, for at least as long. */
export function includesTier(...[has, gift]: Parameters<typeof changesTier>): boolean {
  const isHighEnough = has.tier !== null && tierRank(has.tier) >= tierRank(gift.tier);
  return isHighEnough && !changesTier({ ...has, tier: gift.tier }, gift);
}
