import { useEffect } from "react";
import { type AnalyticsEvent, analyticsEvent, announced } from "./analytics.ts";

/** Passes each event to `take` exactly once: the queued ones first, then new ones. */
export function useAnnouncements(take: (event: AnalyticsEvent) => void): void {
  useEffect(() => {
    const takeAll = () => announced.splice(0).forEach(take);
    takeAll();
    window.addEventListener(analyticsEvent, takeAll);
    return () => window.removeEventListener(analyticsEvent, takeAll);
  }, [take]);
}

/** Drops the events from before the visitor's consent, except the view of the current page. */
export function forgetAnnouncements(): void {
  announced.splice(0, announced.length, ...announced.filter(({ name }) => name === "page-view").slice(-1));
}
