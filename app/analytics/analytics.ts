import type { Tier } from "#contract/tiers.ts";

/**
 * The seam between the pages and whatever measures them. Each function announces what happened as an event on the
 * window. Where no pixel is configured nobody listens: nothing is kept and nothing is sent. No announcement carries a
 * name, an address or anything of a card.
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

/** Something of our own; `event` in capitals as `FreeLessonStarted`. */
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

/** Once for each purchase; the adapter hands `purchaseId` on, so that a provider can drop what it was told before. */
export function purchase(plan: MeasuredPlan & { purchaseId: string }): void {
  announce("purchase", { ...describe(plan), purchaseId: plan.purchaseId });
}

/** Somebody sets out to make an account, perhaps for a plan. */
export function completeRegistration(plan: MeasuredPlan | null): void {
  announce("complete-registration", plan ? describe(plan) : {});
}

/** Somebody wrote to us by the form of that name. */
export function lead(form: string): void {
  announce("lead", { form });
}

/** The id of the pixel; empty on pages with a card form, where none is loaded; undefined where nothing is measured. */
export function pixelId(): string | undefined {
  return document.documentElement.dataset.pixel;
}

/** What was announced and nobody has taken yet; kept only where something is measured. */
export const announced: AnalyticsEvent[] = [];

function describe({ tier, priceId, name, value }: MeasuredPlan): AnalyticsEvent["payload"] {
  return { tier, priceId, name, value, currency: "USD" };
}

function announce(name: AnalyticsEvent["name"], payload: AnalyticsEvent["payload"]): void {
  const event: AnalyticsEvent = { name, payload };
  if (pixelId() !== undefined) announced.push(event);
  window.dispatchEvent(new CustomEvent<AnalyticsEvent>(analyticsEvent, { detail: event }));
}
