import { type Permission, permissions, roleMay } from "#contract/permissions.ts";
import type { Role } from "#contract/roles.ts";

/** The role whose permissions each role includes. */
const below: Readonly<Record<Role, Role | null>> = {
  owner: "administrator",
  administrator: "support",
  support: null,
  coach: null,
};

/** The permissions that a role has in addition to those of the role below it. */
export function ownPermissions(role: Role): Permission[] {
  return (Object.keys(permissions) as Permission[]).filter(
    (permission) => roleMay(role, permission) && !roleMay(below[role], permission),
  );
}
