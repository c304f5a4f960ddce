import type { QueryClient } from "@tanstack/react-query";
import type { PageFacts } from "#contract/page-facts.ts";

/** What every page carries with it of what is on sale, as it was when the server sent the page. */
export type OnPage = Pick<PageFacts, "plans" | "offer">;

export const onPageKey = ["on-page"] as const;

/** As the document carries it; undefined where a part of the page was given it instead. */
export function onPageOf(document: Document): OnPage | undefined {
  const data = document.getElementById("on-page")?.textContent;
  return data ? (JSON.parse(data) as OnPage) : undefined;
}

export function onPage(queryClient: QueryClient): OnPage | undefined {
  return queryClient.getQueryData<OnPage>(onPageKey);
}
