import { Spinner } from "#ui/spinner.tsx";

/** Stands in a page of the application until its scripts are there; where they do not come, it says what to do. */
export function ScriptsLoading() {
  return (
    <div className="noscript:hidden">
      <PageLoading />
      <p className="after-a-while fixed inset-x-0 bottom-0 p-(--margin) text-center">
        This page runs in your browser, and its scripts are not here yet. Check your connection and load it again.
      </p>
    </div>
  );
}

/** While a page's code is on its way. */
export function PageLoading() {
  return (
    <div role="status" className="grid min-h-dvh place-items-center">
      <p className="printed flex items-center gap-3 text-ink-soft">
        <Spinner className="text-lg" /> Loading
      </p>
    </div>
  );
}
