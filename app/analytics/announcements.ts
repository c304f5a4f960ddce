import { useEffect } from "react";
import { type AnalyticsEvent, analyticsEvent, announced } from "./analytics.ts";

/** Gives `take` each announcement once: those of this document so far, then those that come. */
export function useAnnouncements(take: (event: AnalyticsEvent) => void): void {
  useEffect(() => {
    const takeAll = () => announced.splice(0).forEach(take);
    takeAll();
    window.addEventListener(analyticsEvent, takeAll);
    return () => window.removeEventListener(analyticsEvent, takeAll);
  }, [take]);
}

/** Forgets what was announced before somebody agreed to it, but for the page at hand. */
export function forgetAnnouncements(): void {
  announced.splice(0, announced.length, ...announced.filter(({ name }) => name === "page-view").slice(-1));
}
