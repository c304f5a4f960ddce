import type { QueryClient } from "@tanstack/react-query";
import type { PageFacts } from "#contract/page-facts.ts";

/** What every page carries with it of what is on sale, as it was when the server sent the page. */
export type OnPage = Pick<PageFacts, "plans" | "offer">;

export const onPageKey = ["on-page"] as const;

/** Undefined on Vite's own page, which no server of ours sends. */
export function onPage(queryClient: QueryClient): OnPage | undefined {
  return queryClient.getQueryData<OnPage>(onPageKey);
}
