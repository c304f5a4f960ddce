import { useLayoutEffect, useRef } from "react";

/** Scrolls to the top and focuses the element when it replaces the rest of the page, such as a form that was sent. */
export function useTopOfPage<Element extends HTMLElement>() {
  const element = useRef<Element>(null);
  useLayoutEffect(() => {
    element.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0, behavior: "instant" });
  }, []);
  return element;
}
