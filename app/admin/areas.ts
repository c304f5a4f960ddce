import { href } from "#contract/addresses.ts";
import type { Waiting } from "#contract/admin/statistics.ts";
import { type Permission, roleMay } from "#contract/permissions.ts";
import type { StaffRole } from "#contract/roles.ts";

export interface AreaPage {
  readonly label: string;
  readonly to: string;
  /** Needed for what the page shows first. Roles without it see an explanation instead. */
  readonly permission: Permission;
  /** Whether it has a link only while it is open or something waits there. Another page of the area links to it. */
  readonly isUnlisted?: true;
  /** What waits there. */
  readonly waiting?: keyof Waiting;
}

export interface Area {
  readonly label: string;
  /** A role's link to the area leads to the first page that it may open. */
  readonly pages: readonly AreaPage[];
}

/** The administration, in the order of its links. */
const areas: readonly Area[] = [
  { label: "Home", pages: [{ label: "Home", to: href.admin(), permission: "people:read" }] },
  {
    label: "People",
    pages: [
      { label: "Users", to: href.admin("users"), permission: "people:read" },
      { label: "Invitations", to: "/admin/invitations", permission: "access:give" },
      { label: "Team", to: "/admin/team", permission: "team:read" },
      { label: "Import students", to: "/admin/imports", permission: "people:many" },
      { label: "Bulk actions", to: "/admin/bulk-actions", permission: "people:many", isUnlisted: true },
    ],
  },
  {
    label: "Messages",
    pages: [{ label: "Messages", to: href.admin("messages"), permission: "messages:answer", waiting: "messages" }],
  },
  {
    label: "Sales",
    pages: [
      { label: "Purchases", to: href.admin("purchases"), permission: "purchases:read" },
      { label: "Money", to: "/admin/money", permission: "money:read" },
      { label: "Coupons", to: "/admin/coupons", permission: "prices:write" },
      {
        label: "Reconciliation",
        to: "/admin/reconciliation",
        permission: "money:read",
        waiting: "discrepancies",
        isUnlisted: true,
      },
    ],
  },
  {
    label: "Course",
    pages: [
      { label: "Content", to: "/admin/content", permission: "content:write" },
      { label: "Drafts", to: "/admin/drafts", permission: "content:write", waiting: "drafts" },
      { label: "Lesson updates", to: "/admin/lesson-updates", permission: "content:write", waiting: "reviews" },
      { label: "Resources", to: "/admin-upload", permission: "content:write" },
      { label: "Questions", to: href.adminQuestions(), permission: "questions:answer", waiting: "questions" },
    ],
  },
  { label: "Coaching", pages: [{ label: "Coaching", to: "/admin/coaching", permission: "coaching:read" }] },
  {
    label: "Emails",
    pages: [
      { label: "Announcements", to: "/admin/announcements", permission: "announcements:send" },
      { label: "Sequences", to: "/admin/sequences", permission: "announcements:send" },
      { label: "Automatic emails", to: "/admin/email-texts", permission: "content:write" },
    ],
  },
  {
    label: "Site",
    pages: [
      { label: "Pages", to: "/admin/pages", permission: "content:write" },
      { label: "Claims", to: "/admin/claims", permission: "content:write" },
    ],
  },
  {
    label: "Reports",
    pages: [
      { label: "Figures", to: "/admin/figures", permission: "money:read" },
      { label: "Learning", to: "/admin/learning", permission: "learning:read" },
      { label: "Audit log", to: "/admin/audit", permission: "audit:read" },
    ],
  },
  {
    label: "Settings",
    pages: [
      { label: "Settings", to: "/admin/settings", permission: "settings:write" },
      { label: "Connections", to: "/admin/webhooks", permission: "settings:write" },
      { label: "Checklist", to: "/admin/checklist", permission: "operations:read" },
    ],
  },
];

/** The areas with the pages that the role may open. */
export function areasOf(role: StaffRole | null): Area[] {
  return areas
    .map(({ label, pages }) => ({ label, pages: pages.filter(({ permission }) => roleMay(role, permission)) }))
    .filter(({ pages }) => pages.length > 0);
}

/** The page whose link is marked as current. Pages without a link, such as a user's, belong to another page. */
export function pageOf(pathname: string, tab: string): AreaPage {
  const to = linkOf(pathname, tab);
  const pages = areas.flatMap((area) => area.pages);
  const page = pages.find((one) => one.to === to) ?? pages[0];
  if (!page) throw new Error("the administration has no page");
  return page;
}

function linkOf(pathname: string, tab: string): string {
  if (pathname === "/admin/upload") return "/admin-upload";
  if (pathname.startsWith("/admin/users/")) return href.admin("users");
  return pathname === href.admin() && tab ? `${pathname}?tab=${tab}` : pathname;
}
