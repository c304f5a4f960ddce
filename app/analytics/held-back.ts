import type { AnalyticsEvent } from "./analytics.ts";

/** For the rest of the visit, in this tab. */
const key = "heldBackAnnouncements";
const most = 20;

/** Keeps an announcement of a page with a card form for the next page without one. */
export function holdBack(event: AnalyticsEvent): void {
  try {
    window.sessionStorage.setItem(key, JSON.stringify([...held(), event].slice(-most)));
  } catch {
    // Storage is switched off, and what happens on this page stays unmeasured.
  }
}

/** What was held back, once. */
export function takeHeldBack(): AnalyticsEvent[] {
  const events = held();
  if (events.length > 0) window.sessionStorage.removeItem(key);
  return events;
}

function held(): AnalyticsEvent[] {
  try {
    return JSON.parse(window.sessionStorage.getItem(key) ?? "[]") as AnalyticsEvent[];
  } catch {
    return [];
  }
}
