import type { ReactNode } from "react";
import { Spinner } from "#ui/spinner.tsx";

/**
 * Shown in a page of the app until its scripts run. If they do not, explains why.
 * @param id of the explanation
 */
export function ScriptsLoading({ id, children }: { id: string; children?: ReactNode }) {
  return (
    <div className="noscript:hidden">
      {children ?? <PageLoading />}
      <p id={id} className="after-a-while fixed inset-x-0 bottom-0 p-(--margin) text-center">
        This page is taking a long time to load. Check your connection and reload it.
      </p>
    </div>
  );
}

function PageLoading() {
  return (
    <div role="status" className="grid min-h-dvh place-items-center">
      <p className="printed flex items-center gap-3 text-ink-soft">
        <Spinner className="text-lg" /> Loading
      </p>
    </div>
  );
}
