import { type ComponentType, type LazyExoticComponent, lazy } from "react";

export interface Page {
  /** The server answers these and nothing else with a page; a name in braces stands for any one part of the path. */
  path: string;
  /** The module below app/, named a second time because the build preloads its chunk. The build checks the name. */
  file: string;
  component: LazyExoticComponent<ComponentType>;
  /** Rendered to HTML at build time, as a visitor sees it; the others start as an empty shell. */
  prerendered: boolean;
  /** Served with the policy that lets the card gateway's script run; entered and left by a full document load. */
  checkout: boolean;
  /** Served with the policy that lets the lessons' videos in, wherever they come from. */
  lessons?: boolean;
}

const checkout = lazy(() => import("./purchases/checkout/checkout.tsx"));
const upload = lazy(() => import("./admin/upload/upload.tsx"));

/** Each page of the site, in the order of the site map. */
export const pages: readonly Page[] = [
  {
    path: "/",
    file: "landing/landing.tsx",
    component: lazy(() => import("./landing/landing.tsx")),
    prerendered: true,
    checkout: false,
    lessons: true,
  },
  {
    path: "/contact",
    file: "contact/contact.tsx",
    component: lazy(() => import("./contact/contact.tsx")),
    prerendered: true,
    checkout: false,
  },
  {
    path: "/sitemap",
    file: "site/site-map.tsx",
    component: lazy(() => import("./site/site-map.tsx")),
    prerendered: true,
    checkout: false,
  },
  {
    path: "/signup",
    file: "identity/signup.tsx",
    component: lazy(() => import("./identity/signup.tsx")),
    prerendered: true,
    checkout: false,
  },
  {
    path: "/checkout",
    file: "purchases/checkout/checkout.tsx",
    component: checkout,
    prerendered: false,
    checkout: true,
  },
  {
    path: "/authorize-checkout",
    file: "purchases/checkout/checkout.tsx",
    component: checkout,
    prerendered: false,
    checkout: true,
  },
  {
    path: "/payment-method",
    file: "subscription/payment-method/payment-method.tsx",
    component: lazy(() => import("./subscription/payment-method/payment-method.tsx")),
    prerendered: false,
    checkout: true,
  },
  {
    path: "/payment-test",
    file: "purchases/payment-test.tsx",
    component: lazy(() => import("./purchases/payment-test.tsx")),
    prerendered: false,
    checkout: false,
  },
  {
    path: "/admin",
    file: "admin/admin.tsx",
    component: lazy(() => import("./admin/admin.tsx")),
    prerendered: false,
    checkout: false,
  },
  {
    path: "/admin/users/{id}",
    file: "admin/users/user-page.tsx",
    component: lazy(() => import("./admin/users/user-page.tsx")),
    prerendered: false,
    checkout: false,
  },
  {
    path: "/admin/money",
    file: "admin/money/money.tsx",
    component: lazy(() => import("./admin/money/money.tsx")),
    prerendered: false,
    checkout: false,
  },
  {
    path: "/admin/reconciliation",
    file: "admin/money/reconciliation.tsx",
    component: lazy(() => import("./admin/money/reconciliation.tsx")),
    prerendered: false,
    checkout: false,
  },
  {
    path: "/admin/learning",
    file: "admin/learning.tsx",
    component: lazy(() => import("./admin/learning.tsx")),
    prerendered: false,
    checkout: false,
  },
  {
    path: "/admin/content",
    file: "admin/content/content.tsx",
    component: lazy(() => import("./admin/content/content.tsx")),
    prerendered: false,
    checkout: false,
  },
  {
    path: "/admin-upload",
    file: "admin/upload/upload.tsx",
    component: upload,
    prerendered: false,
    checkout: false,
  },
  {
    path: "/admin/upload",
    file: "admin/upload/upload.tsx",
    component: upload,
    prerendered: false,
    checkout: false,
  },
  {
    path: "/admin/audit",
    file: "admin/audit/audit.tsx",
    component: lazy(() => import("./admin/audit/audit.tsx")),
    prerendered: false,
    checkout: false,
  },
  {
    path: "/dashboard",
    file: "learning/dashboard/dashboard.tsx",
    component: lazy(() => import("./learning/dashboard/dashboard.tsx")),
    prerendered: false,
    checkout: false,
    lessons: true,
  },
  {
    path: "/course-access",
    file: "learning/course-access/course-access.tsx",
    component: lazy(() => import("./learning/course-access/course-access.tsx")),
    prerendered: false,
    checkout: false,
    lessons: true,
  },
  {
    path: "/profile",
    file: "profile/profile.tsx",
    component: lazy(() => import("./profile/profile.tsx")),
    prerendered: false,
    checkout: false,
  },
  {
    path: "/receipts/{id}",
    file: "profile/purchases/receipt.tsx",
    component: lazy(() => import("./profile/purchases/receipt.tsx")),
    prerendered: false,
    checkout: false,
  },
  {
    path: "/membership",
    file: "subscription/subscription.tsx",
    component: lazy(() => import("./subscription/subscription.tsx")),
    prerendered: false,
    checkout: false,
  },
  {
    path: "/demo-dashboard",
    file: "learning/dashboard/demo-dashboard.tsx",
    component: lazy(() => import("./learning/dashboard/demo-dashboard.tsx")),
    prerendered: true,
    checkout: false,
    lessons: true,
  },
  {
    path: "/privacy-policy",
    file: "legal/privacy-policy.tsx",
    component: lazy(() => import("./legal/privacy-policy.tsx")),
    prerendered: true,
    checkout: false,
  },
  {
    path: "/terms-of-service",
    file: "legal/terms-of-service.tsx",
    component: lazy(() => import("./legal/terms-of-service.tsx")),
    prerendered: true,
    checkout: false,
  },
];

/** What any other path shows; the server answers it with status 404. */
export const notFoundPage: Page = {
  path: "/404",
  file: "landing/not-found.tsx",
  component: lazy(() => import("./landing/not-found.tsx")),
  prerendered: true,
  checkout: false,
};

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
