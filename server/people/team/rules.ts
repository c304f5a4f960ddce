import { type Permission, permissions, roleMay } from "#contract/permissions.ts";
import { roles, type StaffRole } from "#contract/roles.ts";
import { Refusal } from "#server/base/refusal.ts";
import { unconfirmed } from "#server/identity/users.ts";

export interface Change {
  readonly from: StaffRole | null;
  readonly to: StaffRole | null;
  /** Whether ADMIN_EMAILS names the person whose role changes. */
  readonly isRoot: boolean;
  readonly isConfirmed: boolean;
  readonly isSuspended: boolean;
  /** Other owners who can sign in. */
  readonly otherOwners: number;
}

/** @throws Refusal not-allowed, conflict, last-administrator. */
export function requirePossible({ from, to, isRoot, isConfirmed, isSuspended, otherOwners }: Change): void {
  if (isRoot) {
    throw new Refusal(
      "not-allowed",
      "The server’s configuration makes this address an owner. You can’t change that here.",
    );
  }
  if (from === to)
    throw new Refusal("conflict", to ? `This person already has the role ${to}.` : "This person doesn’t have a role.");
  if (to && !isConfirmed) throw unconfirmed();
  if (to && isSuspended) throw new Refusal("conflict", "This account is suspended. Reactivate it first.");
  if (from === "owner" && otherOwners === 0) {
    throw new Refusal("last-administrator", "This is the last owner. Make someone else an owner first.");
  }
}

/** The permissions that a change gives and takes. */
export function compare({ from, to }: Pick<Change, "from" | "to">): { gains: Permission[]; loses: Permission[] } {
  const all = Object.keys(permissions) as Permission[];
  return {
    gains: all.filter((permission) => roleMay(to, permission) && !roleMay(from, permission)),
    loses: all.filter((permission) => roleMay(from, permission) && !roleMay(to, permission)),
  };
}

/** The position of the role, 0 for the one with most permissions. */
export function rankOf(role: (typeof roles)[number]): number {
  return roles.indexOf(role);
}
