import type { ReactNode } from "react";
import { type Permission, roleMay } from "#contract/permissions.ts";
import { useCurrentUser } from "./current-user.ts";

/** Whether the user's role has this permission. Only hides parts of pages: the server checks each request itself. */
export function useMay(permission: Permission): boolean {
  const { user } = useCurrentUser();
  return user?.needsSecondFactor !== true && roleMay(user?.role ?? null, permission);
}

/** Renders its children only if the user's role has the permission. */
export function May({ permission, children }: { permission: Permission; children: ReactNode }) {
  return useMay(permission) ? children : null;
}
