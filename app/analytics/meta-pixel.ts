import { useEffect } from "react";
import type { AnalyticsEvent } from "./analytics.ts";
import { useAnnouncements } from "./announcements.ts";
import { takeHeldBack } from "./held-back.ts";

/** The function that Meta's script defines. Calls wait in `queue` until the script has loaded. */
interface Fbq {
  (...call: unknown[]): void;
  queue: unknown[][];
  callMethod?: (...call: unknown[]) => void;
  push: unknown;
  loaded: boolean;
  version: string;
  /** Disables the script's own tracking of history changes, which would report queries too. */
  disablePushState: boolean;
}

declare global {
  interface Window {
    fbq?: Fbq;
    _fbq?: Fbq;
  }
}

const scriptAddress = "https://connect.facebook.net/en_US/fbevents.js";
const cookies = ["_fbp", "_fbc"];

/** Reports the pages' events to Meta while rendered. Loads Meta's script when first rendered. */
export default function MetaPixel({ id }: { id: string }): null {
  useEffect(() => {
    open(id)("consent", "grant");
    takeHeldBack().forEach(report);
    return close;
  }, [id]);
  useAnnouncements(report);
  return null;
}

/** Defines Meta's function and starts to load its script. */
function open(id: string): Fbq {
  if (window.fbq) return window.fbq;
  const fbq: Fbq = Object.assign(
    (...call: unknown[]) => {
      if (fbq.callMethod) fbq.callMethod(...call);
      else fbq.queue.push(call);
    },
    { queue: [], push: null, loaded: true, version: "2.0", disablePushState: true },
  );
  fbq.push = fbq;
  window.fbq = fbq;
  window._fbq = fbq;
  const script = document.createElement("script");
  script.src = scriptAddress;
  script.async = true;
  document.head.append(script);
  // Otherwise the script collects clicks and page content.
  fbq("set", "autoConfig", false, id);
  fbq("init", id);
  return fbq;
}

/** Ends reporting after consent is withdrawn, and deletes the script's cookies. */
function close(): void {
  window.fbq?.("consent", "revoke");
  for (const name of cookies) {
    for (const domain of ["", `; domain=.${window.location.hostname}`]) {
      // biome-ignore lint/suspicious/noDocumentCookie: old browsers have no other way to delete these cookies
      document.cookie = `${name}=; max-age=0; path=/${domain}`;
    }
  }
}

const reports: Readonly<Record<AnalyticsEvent["name"], (payload: AnalyticsEvent["payload"]) => unknown[] | null>> = {
  "page-view": () => ["track", "PageView"],
  custom: ({ event, ...about }) => ["trackCustom", event, about],
  "view-content": (plan) => ["track", "ViewContent", { ...productOf(plan), content_name: plan.name }],
  "add-to-cart": (plan) => ["track", "AddToCart", productOf(plan)],
  "initiate-checkout": (plan) => ["track", "InitiateCheckout", { ...productOf(plan), num_items: 1 }],
  purchase: (plan) =>
    isFirstReportOf(String(plan.purchaseId))
      ? ["track", "Purchase", productOf(plan), { eventID: plan.purchaseId }]
      : null,
  "complete-registration": ({ name }) => [
    "track",
    "CompleteRegistration",
    { status: true, ...(name && { content_name: name }) },
  ],
  lead: ({ form }) => ["track", "Lead", { content_name: form }],
};

function report({ name, payload }: AnalyticsEvent): void {
  const call = reports[name](payload);
  if (call) window.fbq?.(...call);
}

function productOf({ priceId, tier, value, currency }: AnalyticsEvent["payload"]): object {
  return { content_ids: [priceId ?? tier], content_type: "product", value, currency };
}

/** Records the purchase in this browser. False when it was recorded before. */
function isFirstReportOf(purchaseId: string): boolean {
  const key = `measuredPurchase:${purchaseId}`;
  try {
    if (window.localStorage.getItem(key)) return false;
    window.localStorage.setItem(key, "1");
  } catch {
    // Storage is blocked. Meta itself drops repeated events with the same id.
  }
  return true;
}
