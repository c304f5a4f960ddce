import { type Permission, permissions, roleMay } from "#contract/permissions.ts";
import type { Role } from "#contract/roles.ts";

/** Which role's permissions another one holds besides its own. */
const below: Readonly<Record<Role, Role | null>> = {
  owner: "administrator",
  administrator: "support",
  support: null,
  coach: null,
};

/** What a role may do that the one below it may not. */
export function ownPermissions(role: Role): Permission[] {
  return (Object.keys(permissions) as Permission[]).filter(
    (permission) => roleMay(role, permission) && !roleMay(below[role], permission),
  );
}
