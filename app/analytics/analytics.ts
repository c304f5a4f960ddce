import type { Tier } from "#contract/tiers.ts";

/**
 * The seam between the pages and whatever measures them. Each function announces what happened as an event on the
 * window, which the adapter of a provider (a pixel) listens for. Without an adapter nobody listens: nothing is kept
 * and nothing is sent. No announcement carries a name, an address or anything of a card.
 */
const analyticsEvent = "academy:analytics";

interface AnalyticsEvent {
  name: "page-view" | "view-content" | "add-to-cart" | "initiate-checkout" | "purchase" | "complete-registration";
  payload: Readonly<Record<string, string | number | boolean | null>>;
}

/** A plan as it is measured. */
export interface MeasuredPlan {
  tier: Tier;
  /** The payment price identifier; null when the page does not know it. */
  priceId: string | null;
  name: string;
  /** US dollars. */
  value: number;
}

/** A page was opened. The path alone: queries carry what somebody is about to buy. */
export function pageView(path: string): void {
  announce("page-view", { path });
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

/** Once for each purchase; the adapter hands `purchaseId` on, so that a provider can drop what it was told before. */
export function purchase(plan: MeasuredPlan & { purchaseId: string }): void {
  announce("purchase", { ...describe(plan), purchaseId: plan.purchaseId });
}

/** Somebody sets out to make an account, perhaps for a plan. */
export function completeRegistration(plan: MeasuredPlan | null): void {
  announce("complete-registration", plan ? describe(plan) : {});
}

function describe({ tier, priceId, name, value }: MeasuredPlan): AnalyticsEvent["payload"] {
  return { tier, priceId, name, value, currency: "USD" };
}

function announce(name: AnalyticsEvent["name"], payload: AnalyticsEvent["payload"]): void {
  window.dispatchEvent(new CustomEvent<AnalyticsEvent>(analyticsEvent, { detail: { name, payload } }));
}
