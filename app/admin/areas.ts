import { href } from "#contract/addresses.ts";
import type { Permission } from "#contract/permissions.ts";

interface Area {
  readonly label: string;
  readonly to: string;
  /** Needed for what the page shows first. Roles without it see an explanation instead. */
  readonly permission: Permission;
}

/** The admin pages, in the order of their links. */
export const areas: readonly Area[] = [
  { label: "Dashboard", to: href.admin(), permission: "people:read" },
  { label: "Checklist", to: "/admin/checklist", permission: "operations:read" },
  { label: "Money", to: "/admin/money", permission: "money:read" },
  { label: "Figures", to: "/admin/figures", permission: "money:read" },
  { label: "Reconciliation", to: "/admin/reconciliation", permission: "money:read" },
  { label: "Learning", to: "/admin/learning", permission: "learning:read" },
  { label: "Questions", to: "/admin/questions", permission: "questions:answer" },
  { label: "Coaching", to: "/admin/coaching", permission: "coaching:read" },
  { label: "Content", to: "/admin/content", permission: "content:write" },
  { label: "Pages", to: "/admin/pages", permission: "content:write" },
  { label: "Coupons", to: "/admin/coupons", permission: "prices:write" },
  { label: "Announcements", to: "/admin/announcements", permission: "announcements:send" },
  { label: "Bulk actions", to: "/admin/bulk-actions", permission: "people:many" },
  { label: "Invitations", to: "/admin/invitations", permission: "access:give" },
  { label: "Claims", to: "/admin/claims", permission: "content:write" },
  { label: "Settings", to: "/admin/settings", permission: "settings:write" },
  { label: "Team", to: "/admin/team", permission: "team:read" },
  { label: "Resources", to: "/admin-upload", permission: "content:write" },
  { label: "Audit log", to: "/admin/audit", permission: "audit:read" },
];

/** The area whose link is marked as current. Pages without a link, such as a user's, belong to the first. */
export function areaOf(pathname: string): Area {
  const path = pathname === "/admin/upload" ? "/admin-upload" : pathname;
  const area = areas.find(({ to }) => to === path) ?? areas[0];
  if (!area) throw new Error("the administration has no page");
  return area;
}
