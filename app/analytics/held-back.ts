import type { AnalyticsEvent } from "./analytics.ts";

/** In session storage: for this tab, until it is closed. */
const key = "heldBackAnnouncements";
const maxEvents = 20;

/** Stores an event of a page with a card form, for the next page without one. */
export function holdBack(event: AnalyticsEvent): void {
  try {
    window.sessionStorage.setItem(key, JSON.stringify([...held(), event].slice(-maxEvents)));
  } catch {
    // Storage is blocked, so the events of this page are lost.
  }
}

/** Returns the stored events and deletes them. */
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
