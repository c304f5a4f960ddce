import { blockedStatuses } from "#contract/access.ts";
import type { BulkKind, SkipReason } from "#contract/admin/bulk-actions.ts";
import type { UserRights } from "#contract/admin/users.ts";
import { roleMay } from "#contract/permissions.ts";
import type { StaffRole } from "#contract/roles.ts";
import { type Tier, tierRank, tiers } from "#contract/tiers.ts";
import { changesTier } from "#server/subscriptions/account-rules.ts";

export interface UserState {
  readonly tier: Tier | null;
  readonly accountStatus: string;
  readonly renews: boolean;
  /** Null when no subscription can be held. */
  readonly holdable: string | null;
  readonly isDeclined: boolean;
  readonly waitsForPayment: boolean;
  readonly isSelf: boolean;
  /** By `mayManage`. */
  readonly mayClose: boolean;
  /** By `mayManage` and `mayReopen`. */
  readonly mayOpen: boolean;
}

/** What the state of the account and the role of the actor allow. */
export function rightsOver(user: UserState, role: StaffRole | null): UserRights {
  const isBlocked = blockedStatuses.includes(user.accountStatus);
  const isSuspended = user.accountStatus === "suspended";
  const rank = user.tier === null ? -1 : tiers.indexOf(user.tier);
  const mayGive = roleMay(role, "access:give");
  const mayHold = roleMay(role, "people:hold");
  return {
    upgradeTo: mayGive && user.tier !== null ? (tiers[rank + 1] ?? null) : null,
    downgradeTo: mayGive ? (tiers[rank - 1] ?? null) : null,
    cancelSubscription: roleMay(role, "renewals:stop") && user.tier === "basic" && user.renews,
    hold: !mayHold || !user.mayClose || isBlocked || user.isSelf ? null : user.holdable,
    suspend: mayHold && user.mayClose && !isSuspended && !user.isSelf,
    reactivate: mayHold && user.mayOpen && (isBlocked || user.isDeclined) && (isSuspended || !user.waitsForPayment),
    delete: roleMay(role, "people:delete") && user.mayClose && !user.isSelf,
    endSessions: mayHold && (user.mayClose || user.isSelf),
  };
}

/** A person whom a bulk action may change. */
export interface BulkCandidate {
  readonly state: UserState;
  readonly isOfTeam: boolean;
  /** The access by the ledger. */
  readonly access: { readonly tier: Tier | null; readonly until: Date | null };
}

export type FixedOperation =
  | { readonly kind: "grant"; readonly tier: Tier; readonly endsAt: Date | null }
  | { readonly kind: Exclude<BulkKind, "grant"> };

/**
 * Why a bulk action skips somebody; null: it does not. The rules are those of single actions, except that members of
 * the team are skipped, and people who would be given less than they have.
 */
export function skipReasonOf(
  { state, isOfTeam, access }: BulkCandidate,
  operation: FixedOperation,
  role: StaffRole | null,
): SkipReason | null {
  if (state.accountStatus === "deleted") return "left";
  if (isOfTeam || state.isSelf) return "team";
  const may = rightsOver(state, role);
  switch (operation.kind) {
    case "grant":
      if (access.tier !== null && tierRank(access.tier) > tierRank(operation.tier)) return "higher-plan";
      return changesTier(access, operation) ? null : "has-it";
    case "hold":
      if (may.hold !== null) return null;
      if (blockedStatuses.includes(state.accountStatus)) return "blocked";
      return state.isDeclined ? "declined" : "nothing-renews";
    case "suspend":
      return may.suspend ? null : "suspended";
    case "reactivate":
      // Also of a suspended one, which would not open.
      if (state.waitsForPayment) return "unpaid";
      return may.reactivate ? null : "not-blocked";
  }
}
