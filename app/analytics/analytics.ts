import type { Tier } from "#contract/tiers.ts";

/**
 * The interface between pages and analytics. Each function dispatches an event on the window. Without a configured
 * pixel nothing is stored or sent. No event contains a name, an email address or card data.
 */
export const analyticsEvent = "academy:analytics";

export interface AnalyticsEvent {
  name:
    | "page-view"
    | "custom"
    | "view-content"
    | "add-to-cart"
    | "initiate-checkout"
    | "purchase"
    | "complete-registration"
    | "lead";
  payload: Readonly<Record<string, string | number | boolean | null>>;
}

/** A plan in analytics events. */
export interface MeasuredPlan {
  tier: Tier;
  /** The payment price id. Null when the page does not know it. */
  priceId: string | null;
  name: string;
  /** US dollars. */
  value: number;
}

/** Reports a page view with only the path, because the query reveals what somebody is about to buy. */
export function pageView(path: string): void {
  announce("page-view", { path });
}

/** Reports an event of our own. `event` is in PascalCase, such as `FreeLessonStarted`. */
export function customEvent(event: string, about: AnalyticsEvent["payload"] = {}): void {
  announce("custom", { ...about, event });
}

export function viewContent(plan: MeasuredPlan): void {
  announce("view-content", describe(plan));
}

export function addToCart(plan: MeasuredPlan): void {
  announce("add-to-cart", describe(plan));
}

export function initiateCheckout(plan: MeasuredPlan): void {
  announce("initiate-checkout", describe(plan));
}

/** Reports a purchase, once each. Providers deduplicate by `purchaseId`. */
export function purchase(plan: MeasuredPlan & { purchaseId: string }): void {
  announce("purchase", { ...describe(plan), purchaseId: plan.purchaseId });
}

/** Reports a message sent with the named form. */
export function lead(form: string): void {
  announce("lead", { form });
}

/** The pixel's id. Empty on pages with a card form, which load no pixel. Undefined without analytics. */
export function pixelId(): string | undefined {
  return document.documentElement.dataset.pixel;
}

/** Events that no listener has taken yet. Filled only where analytics is configured. */
export const announced: AnalyticsEvent[] = [];

function describe({ tier, priceId, name, value }: MeasuredPlan): AnalyticsEvent["payload"] {
  return { tier, priceId, name, value, currency: "USD" };
}

function announce(name: AnalyticsEvent["name"], payload: AnalyticsEvent["payload"]): void {
  const event: AnalyticsEvent = { name, payload };
  if (pixelId() !== undefined) announced.push(event);
  window.dispatchEvent(new CustomEvent<AnalyticsEvent>(analyticsEvent, { detail: event }));
}
