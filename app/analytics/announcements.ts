import { useEffect } from "react";
import { type AnalyticsEvent, analyticsEvent, announced } from "./analytics.ts";

/** Passes each event to `take` exactly once: the queued ones first, then new ones. */
export function useAnnouncements(take: (event: AnalyticsEvent) => void): void {
  useEffect(() => {
    const takeAll = () => announced.splice(0).forEach(take);
    const takeNew = (event: Event) => {
      const { detail } = event as CustomEvent<AnalyticsEvent>;
      // An inline script, such as the sign-up's, has no access to the queue.
      if (!announced.includes(detail)) announced.push(detail);
      takeAll();
    };
    takeAll();
    window.addEventListener(analyticsEvent, takeNew);
    return () => window.removeEventListener(analyticsEvent, takeNew);
  }, [take]);
}

/** Drops the events from before the visitor's consent, except the view of the current page. */
export function forgetAnnouncements(): void {
  announced.splice(0, announced.length, ...announced.filter(({ name }) => name === "page-view").slice(-1));
}
