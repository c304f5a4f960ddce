import type { FetchQueryOptions, QueryClient } from "@tanstack/react-query";
import { matchRoutes } from "react-router";
import { pages } from "./routes.ts";

/** Fetches the code and the data of the page behind a link as soon as somebody points at the link or comes to it by keyboard. */
export function prefetchOnIntent(queryClient: QueryClient): void {
  const prefetch = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
    if (link?.origin !== window.location.origin) return;
    const [match] = matchRoutes([...pages], link.pathname) ?? [];
    match?.route.load().then(
      ({ default: page }) =>
        page.queries?.(match.params).map((query) => queryClient.prefetchQuery(query as FetchQueryOptions)),
      () => {}, // A visitor who follows the link is told.
    );
  };
  document.addEventListener("pointerover", prefetch);
  document.addEventListener("focusin", prefetch);
}
