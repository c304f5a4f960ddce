import { useEffect } from "react";
import { titled } from "#ui/academy.ts";
import { Button } from "#ui/controls/button.tsx";
import { StateCard } from "./state-card.tsx";

const reload = () => window.location.reload();

/**
 * Replaces a page that failed to load or render. The button reloads, because the usual cause is a new release whose
 * pages this document does not know.
 * A page that failed offline reloads once the browser is online again.
 */
export function PageFailed() {
  useEffect(() => {
    addEventListener("online", reload);
    return () => removeEventListener("online", reload);
  }, []);
  return (
    <>
      <title>{titled("This page didn't load")}</title>
      <div className="grid min-h-dvh place-items-center p-5">
        <StateCard
          level={1}
          tone="failed"
          title="This page didn't load"
          actions={<Button onClick={reload}>Try again</Button>}
        >
          <p>{causeNow()} Everything you saved is safe.</p>
        </StateCard>
      </div>
    </>
  );
}

function causeNow(): string {
  if (!navigator.onLine) return "You're offline.";
  return document.documentElement.dataset.tooOld ?? "Something went wrong.";
}
