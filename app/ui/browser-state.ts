import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False in prerendered markup and while it is being hydrated, true afterwards: for what only the browser knows. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

function onScroll(listener: () => void): () => void {
  window.addEventListener("scroll", listener, { passive: true });
  return () => window.removeEventListener("scroll", listener);
}

/** Whether the page is scrolled down by more than `pixels`. */
export function useScrolledPast(pixels: number): boolean {
  return useSyncExternalStore(
    onScroll,
    () => window.scrollY > pixels,
    () => false,
  );
}
