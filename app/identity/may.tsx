import type { ReactNode } from "react";
import { type Permission, roleMay } from "#contract/permissions.ts";
import { useCurrentUser } from "./current-user.ts";

/** Whether the role of the signed-in person allows it. Pages only hide by it: the server decides on each call by itself. */
export function useMay(permission: Permission): boolean {
  return roleMay(useCurrentUser().user?.role ?? null, permission);
}

/** What is shown to those alone whose role allows it. */
export function May({ permission, children }: { permission: Permission; children: ReactNode }) {
  return useMay(permission) ? children : null;
}
