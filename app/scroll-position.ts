/** Where this tab keeps how far each entry of its history was scrolled, by the entry's key. */
export const scrollStorageKey = "scroll-positions";

/**
 * Before the router begins. The entry that a document begins with gets a key of its own: React Router would keep one position
 * for all of them. A page that was reloaded, or come back to from another document, is scrolled to where it was as soon as
 * what it fetched makes it long enough, unless the reader has begun to do something.
 */
export function restoreScrollPosition(): void {
  const state: { key?: string } | null = window.history.state;
  if (!state?.key) {
    window.history.replaceState({ ...state, key: performance.timeOrigin.toString(36) }, "");
    return;
  }
  const top = keptPosition(state.key);
  if (top === 0) return;
  const root = document.documentElement;
  const stopped = new AbortController();
  const observer = new ResizeObserver(() => {
    if (root.scrollHeight - root.clientHeight < top) return;
    window.scrollTo({ top, behavior: "instant" });
    observer.disconnect();
  });
  // What is fetched later and stands above pushes the rest to where it was: the browser is not to move along with it.
  document.body.style.overflowAnchor = "none";
  stopped.signal.addEventListener("abort", () => {
    observer.disconnect();
    document.body.style.overflowAnchor = "";
  });
  for (const begun of ["wheel", "pointerdown", "keydown"]) {
    window.addEventListener(begun, () => stopped.abort(), { signal: stopped.signal });
  }
  observer.observe(document.body);
}

function keptPosition(key: string): number {
  try {
    return JSON.parse(window.sessionStorage.getItem(scrollStorageKey) ?? "{}")[key] ?? 0;
  } catch {
    return 0;
  }
}
