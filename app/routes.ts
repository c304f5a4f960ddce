import type { FetchQueryOptions } from "@tanstack/react-query";
import type { FunctionComponent } from "react";
import type { Params } from "react-router";

/** The default export of a page's file. */
type PageComponent = FunctionComponent & {
  /** The page's first requests, which are prefetched. */
  queries?: (params: Params) => readonly Pick<FetchQueryOptions, "queryKey">[];
};

export interface Page {
  /** The server sends the app's document for these paths. `:name` matches any single segment. */
  path: string;
  load: () => Promise<{ default: PageComponent }>;
  /** Served with a content security policy that allows the card gateway's script, as a separate document. */
  checkout?: true;
  /** Served with a content security policy that allows the lessons' videos, wherever they are hosted. */
  lessons?: true;
  /** Served with a content security policy that allows the video that the URL's `preview` names. */
  previews?: true;
}

/** All pages of the app. The public pages are in site/pages. */
export const pages: readonly Page[] = [
  { path: "/checkout", load: () => import("./checkout/checkout.tsx"), checkout: true },
  { path: "/authorize-checkout", load: () => import("./checkout/checkout.tsx"), checkout: true },
  { path: "/payment-method", load: () => import("./subscription/payment-method/payment-method.tsx"), checkout: true },
  { path: "/payment-test", load: () => import("./admin/payment-test.tsx") },
  { path: "/admin", load: () => import("./admin/admin.tsx") },
  { path: "/admin/checklist", load: () => import("./admin/checklist/checklist.tsx") },
  { path: "/admin/users/:id", load: () => import("./admin/users/user-page.tsx") },
  { path: "/admin/money", load: () => import("./admin/money/money.tsx") },
  { path: "/admin/figures", load: () => import("./admin/figures/figures-page.tsx") },
  { path: "/admin/reconciliation", load: () => import("./admin/money/reconciliation.tsx") },
  { path: "/admin/learning", load: () => import("./admin/learning/learning.tsx") },
  { path: "/admin/questions", load: () => import("./admin/questions/questions.tsx") },
  { path: "/admin/content", load: () => import("./admin/content/content.tsx"), previews: true },
  { path: "/admin/drafts", load: () => import("./admin/drafts/drafts.tsx") },
  { path: "/admin/lesson-updates", load: () => import("./admin/updates/updates.tsx") },
  { path: "/admin/email-texts", load: () => import("./admin/email-texts/email-texts.tsx") },
  { path: "/admin/pages", load: () => import("./admin/pages/pages.tsx") },
  { path: "/admin/settings", load: () => import("./admin/settings/settings.tsx") },
  { path: "/admin/claims", load: () => import("./admin/claims/claims.tsx") },
  { path: "/admin/coupons", load: () => import("./admin/coupons/coupons.tsx") },
  { path: "/admin/announcements", load: () => import("./admin/announcements/announcements.tsx") },
  { path: "/admin/bulk-actions", load: () => import("./admin/bulk/bulk-actions.tsx") },
  { path: "/admin/team", load: () => import("./admin/team/team.tsx") },
  { path: "/admin/invitations", load: () => import("./admin/invitations.tsx") },
  { path: "/admin/imports", load: () => import("./admin/imports/imports.tsx") },
  { path: "/admin/coaching", load: () => import("./admin/coaching/coaching.tsx") },
  { path: "/admin-upload", load: () => import("./admin/upload/upload.tsx") },
  { path: "/admin/upload", load: () => import("./admin/upload/upload.tsx") },
  { path: "/admin/sequences", load: () => import("./admin/sequences/sequences.tsx") },
  { path: "/admin/webhooks", load: () => import("./admin/webhooks/webhooks.tsx") },
  { path: "/admin/audit", load: () => import("./admin/audit/audit.tsx") },
  { path: "/dashboard", load: () => import("./learning/dashboard/dashboard.tsx"), lessons: true },
  { path: "/course-access", load: () => import("./learning/course-access/course-access.tsx"), lessons: true },
  { path: "/questions", load: () => import("./learning/questions/questions-page.tsx") },
  { path: "/questions/:id", load: () => import("./learning/questions/question-page.tsx") },
  { path: "/signed-in", load: () => import("./identity/signed-in.tsx") },
  { path: "/profile", load: () => import("./profile/profile.tsx") },
  { path: "/invitation", load: () => import("./profile/invitation.tsx") },
  { path: "/receipts/:id", load: () => import("./profile/purchases/receipt.tsx") },
  { path: "/membership", load: () => import("./subscription/subscription.tsx") },
  { path: "/coaching", load: () => import("./coaching/coaching.tsx"), lessons: true },
  { path: "/coaching/:id", load: () => import("./coaching/session.tsx") },
  { path: "/coach", load: () => import("./coaching/coach/desk.tsx") },
  { path: "/coach/questions", load: () => import("./admin/questions/coach-questions.tsx") },
  { path: "/coach/:id", load: () => import("./coaching/coach/session.tsx") },
];
