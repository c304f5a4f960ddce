import { type ComponentType, type LazyExoticComponent, lazy } from "react";

export interface Page {
  /** The server answers these with the application; a name in braces stands for any one part of the path. */
  path: string;
  /** The module below app/, named a second time because the build preloads its chunk. The build checks the name. */
  file: string;
  component: LazyExoticComponent<ComponentType>;
  /** Served with the policy that lets the card gateway's script run; entered and left by a full document load. */
  checkout?: true;
  /** Served with the policy that lets the lessons' videos in, wherever they come from. */
  lessons?: true;
}

const checkout = lazy(() => import("./checkout/checkout.tsx"));
const upload = lazy(() => import("./admin/upload/upload.tsx"));

/** Each page of the application; the public ones are in site/pages. */
export const pages: readonly Page[] = [
  {
    path: "/checkout",
    file: "checkout/checkout.tsx",
    component: checkout,
    checkout: true,
  },
  {
    path: "/authorize-checkout",
    file: "checkout/checkout.tsx",
    component: checkout,
    checkout: true,
  },
  {
    path: "/payment-method",
    file: "subscription/payment-method/payment-method.tsx",
    component: lazy(() => import("./subscription/payment-method/payment-method.tsx")),
    checkout: true,
  },
  {
    path: "/payment-test",
    file: "admin/payment-test.tsx",
    component: lazy(() => import("./admin/payment-test.tsx")),
  },
  {
    path: "/admin",
    file: "admin/admin.tsx",
    component: lazy(() => import("./admin/admin.tsx")),
  },
  {
    path: "/admin/users/{id}",
    file: "admin/users/user-page.tsx",
    component: lazy(() => import("./admin/users/user-page.tsx")),
  },
  {
    path: "/admin/money",
    file: "admin/money/money.tsx",
    component: lazy(() => import("./admin/money/money.tsx")),
  },
  {
    path: "/admin/reconciliation",
    file: "admin/money/reconciliation.tsx",
    component: lazy(() => import("./admin/money/reconciliation.tsx")),
  },
  {
    path: "/admin/learning",
    file: "admin/learning.tsx",
    component: lazy(() => import("./admin/learning.tsx")),
  },
  {
    path: "/admin/content",
    file: "admin/content/content.tsx",
    component: lazy(() => import("./admin/content/content.tsx")),
  },
  {
    path: "/admin/coaching",
    file: "admin/coaching/coaching.tsx",
    component: lazy(() => import("./admin/coaching/coaching.tsx")),
  },
  {
    path: "/admin-upload",
    file: "admin/upload/upload.tsx",
    component: upload,
  },
  {
    path: "/admin/upload",
    file: "admin/upload/upload.tsx",
    component: upload,
  },
  {
    path: "/admin/audit",
    file: "admin/audit/audit.tsx",
    component: lazy(() => import("./admin/audit/audit.tsx")),
  },
  {
    path: "/dashboard",
    file: "learning/dashboard/dashboard.tsx",
    component: lazy(() => import("./learning/dashboard/dashboard.tsx")),
    lessons: true,
  },
  {
    path: "/course-access",
    file: "learning/course-access/course-access.tsx",
    component: lazy(() => import("./learning/course-access/course-access.tsx")),
    lessons: true,
  },
  {
    path: "/profile",
    file: "profile/profile.tsx",
    component: lazy(() => import("./profile/profile.tsx")),
  },
  {
    path: "/receipts/{id}",
    file: "profile/purchases/receipt.tsx",
    component: lazy(() => import("./profile/purchases/receipt.tsx")),
  },
  {
    path: "/membership",
    file: "subscription/subscription.tsx",
    component: lazy(() => import("./subscription/subscription.tsx")),
  },
  {
    path: "/coaching",
    file: "coaching/coaching.tsx",
    component: lazy(() => import("./coaching/coaching.tsx")),
    lessons: true,
  },
  {
    path: "/coaching/{id}",
    file: "coaching/session.tsx",
    component: lazy(() => import("./coaching/session.tsx")),
  },
  {
    path: "/coach",
    file: "coaching/coach/desk.tsx",
    component: lazy(() => import("./coaching/coach/desk.tsx")),
  },
  {
    path: "/coach/{id}",
    file: "coaching/coach/session.tsx",
    component: lazy(() => import("./coaching/coach/session.tsx")),
  },
];

/**
 * Whether going from one path to an address needs a new document: checkout pages have a content security policy of
 * their own, which a document keeps for life, and what is not a page of the application is the server's to answer.
 */
export function needsDocument(fromPath: string, address: string): boolean {
  const target = findPage(new URL(address, `http://here${fromPath}`).pathname);
  return !target || Boolean(target.checkout || findPage(fromPath)?.checkout);
}

/** The page at `path`, a path without query, or null. */
export function findPage(path: string): Page | null {
  return pages.find((page) => partsOf(page.path, path) !== null) ?? null;
}

/** What stands in `path` for the names in braces of `pattern`, or null when they do not match. */
export function partsOf(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return null;
  const parts: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? "";
    if (part.startsWith("{") && value) parts[part.slice(1, -1)] = value;
    else if (part !== value) return null;
  }
  return parts;
}
