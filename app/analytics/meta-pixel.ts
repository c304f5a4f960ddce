import { useEffect } from "react";
import type { AnalyticsEvent } from "./analytics.ts";
import { useAnnouncements } from "./announcements.ts";
import { takeHeldBack } from "./held-back.ts";

/** What Meta's script takes calls by; until it has come they wait in the queue. */
interface Fbq {
  (...call: unknown[]): void;
  queue: unknown[][];
  callMethod?: (...call: unknown[]) => void;
  push: unknown;
  loaded: boolean;
  version: string;
  /** The script would report changes of the address as views by itself, with their queries. */
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

/** Tells Meta what the pages announce, as long as it is rendered; its script is loaded with the first one. */
export default function MetaPixel({ id }: { id: string }): null {
  useEffect(() => {
    open(id)("consent", "grant");
    takeHeldBack().forEach(report);
    return close;
  }, [id]);
  useAnnouncements(report);
  return null;
}

/** Meta's function, with its script on the way. */
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
  // Else it reads what is pressed and what stands on the page.
  fbq("set", "autoConfig", false, id);
  fbq("init", id);
  return fbq;
}

/** The answer was taken back: nothing more is reported, and what the script has left in the browser goes. */
function close(): void {
  window.fbq?.("consent", "revoke");
  for (const name of cookies) {
    for (const domain of ["", `; domain=.${window.location.hostname}`]) {
      // biome-ignore lint/suspicious/noDocumentCookie: the cookies are another's, and old browsers know no other way
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

/** Notes the purchase in this browser; false when it was noted before. */
function isFirstReportOf(purchaseId: string): boolean {
  const key = `measuredPurchase:${purchaseId}`;
  try {
    if (window.localStorage.getItem(key)) return false;
    window.localStorage.setItem(key, "1");
  } catch {
    // Storage is switched off: Meta itself drops what comes twice with the same id.
  }
  return true;
}
