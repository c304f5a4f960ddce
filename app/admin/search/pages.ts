import { useCurrentUser } from "#app/identity/current-user.ts";
import { useMay } from "#app/identity/may.tsx";
import { usePlans } from "#app/plans/plans.ts";
import { href } from "#contract/addresses.ts";
import { maxFound } from "#contract/admin/search.ts";
import { areasOf } from "../areas.ts";
import { settingsTabs } from "../settings/tabs.ts";

interface FoundPage {
  id: string;
  title: string;
  note: string;
  to: string;
}

/** What people call a page, apart from its title. */
const otherWords: Readonly<Record<string, string>> = {
  [href.admin()]: "dashboard overview today",
  [href.admin("users")]: "people students members customers",
  [href.admin("purchases")]: "sales orders payments refunds subscriptions receipts",
  [href.admin("messages")]: "contact inbox support",
  "/admin/money": "revenue income mrr",
  "/admin/coupons": "discounts codes promotions",
  "/admin/reconciliation": "gateway differences disputes",
  "/admin/content": "modules lessons videos plans prices offer",
  "/admin/drafts": "unpublished changes publish",
  "/admin-upload": "files downloads upload",
  "/admin/announcements": "newsletter broadcast write",
  "/admin/email-texts": "wording templates notifications receipts reminders",
  "/admin/pages": "landing texts faq testimonials legal",
  "/admin/claims": "statements proof",
  "/admin/figures": "conversion funnel retention charts",
  "/admin/learning": "progress lessons checks",
  "/admin/audit": "history log who changed",
  "/admin/team": "administrators roles second factor sign-in",
};

/** The administration's pages, tabs of its settings and plans that fit a search, as far as the role may open them. */
export function useFoundPages(search: string): readonly FoundPage[] {
  const { user } = useCurrentUser();
  const plans = usePlans();
  const maySet = useMay("settings:write");
  const mayEdit = useMay("content:write");
  const pages = areasOf(user?.role ?? null).flatMap((area) =>
    area.pages.map(({ label, to }) => page(label, area.label === label ? "" : area.label, to, otherWords[to])),
  );
  const parts = Object.entries(settingsTabs).map(([id, { title, words }]) =>
    page(title, "Settings", `/admin/settings?tab=${id}`, words),
  );
  const ofPlans = plans.map(({ name, priceId }) => page(name, "Plan", `/admin/content?edit=plan.${priceId}`, "price"));
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  return [...pages, ...(maySet ? parts : []), ...(mayEdit ? ofPlans : [])]
    .filter(({ words }) => wanted.every((start) => words.some((word) => word.startsWith(start))))
    .slice(0, maxFound);
}

function page(title: string, note: string, to: string, otherWords = "") {
  const words = `${title} ${note} ${otherWords}`.toLowerCase().split(/[\s,]+/);
  return { id: to, title, note, to, words };
}
