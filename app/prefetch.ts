import type { FetchQueryOptions, QueryClient } from "@tanstack/react-query";
import { matchRoutes } from "react-router";
import { pages } from "./routes.ts";

/** Prefetches the code and the data of a link's page on hover or keyboard focus. */
export function prefetchOnIntent(queryClient: QueryClient): void {
  const prefetch = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
    if (link?.origin !== window.location.origin) return;
    const [match] = matchRoutes([...pages], link.pathname) ?? [];
    match?.route.load().then(
      ({ default: page }) =>
        page.queries?.(match.params).map((query) => queryClient.prefetchQuery(query as FetchQueryOptions)),
      () => {}, // Following the link shows the error.
    );
  };
  document.addEventListener("pointerover", prefetch);
  document.addEventListener("focusin", prefetch);
}
