import { Suspense, useEffect } from "react";
import { pageView } from "#app/analytics/analytics.ts";
import { useHydrated } from "#ui/browser-state.ts";
import { optional } from "#ui/feedback/optional.ts";
import { Island } from "./island.tsx";

const Question = optional(() => import("#app/analytics/measuring.tsx"));

/** Reports the page view, and asks for consent to analytics. Used in documents with a pixel. */
export function Measuring() {
  const isHydrated = useHydrated();
  useEffect(() => pageView(window.location.pathname), []);
  return (
    <Island>
      {isHydrated && (
        <Suspense>
          <Question />
        </Suspense>
      )}
    </Island>
  );
}
