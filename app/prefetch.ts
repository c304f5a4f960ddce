import type { FetchQueryOptions, QueryClient } from "@tanstack/react-query";
import { matchRoutes } from "react-router";
import { pages } from "./routes.ts";

/**
 * Prefetches the code and the data of a link's page on hover or keyboard focus, except what has failed before: a page
 * that shows the failure would replace it by its outline, and take the link away from under the pointer.
 */
export function prefetchOnIntent(queryClient: QueryClient): void {
  const prefetch = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
    if (link?.origin !== window.location.origin) return;
    const [match] = matchRoutes([...pages], link.pathname) ?? [];
    match?.route.load().then(
      ({ default: page }) =>
        page
          .queries?.(match.params)
          .filter(({ queryKey }) => queryClient.getQueryState(queryKey)?.status !== "error")
          .map((query) => queryClient.prefetchQuery(query as FetchQueryOptions)),
      () => {}, // Following the link shows the error.
    );
  };
  document.addEventListener("pointerover", prefetch);
  document.addEventListener("focusin", prefetch);
}
