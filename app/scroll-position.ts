/** The session storage key of the scroll positions, by the history entries' keys. */
export const scrollStorageKey = "scroll-positions";

/**
 * Restores the scroll position after a reload or a return from another document, as soon as the page is long enough,
 * unless the user has interacted. Must run before the router. Gives the document's first history entry its own key,
 * because React Router would share one position among all such entries.
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
  // Disables scroll anchoring: content that loads later above this position must not scroll the page with it.
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
