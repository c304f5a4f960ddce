import { createContext } from "react";
import type { PageFacts } from "#contract/page-facts.ts";

/** What every page carries with it of what is on sale and claimed, as it was when the server sent the page. */
export type OnPage = Pick<PageFacts, "plans" | "offer"> & Partial<Pick<PageFacts, "claims">>;

/** As the document carries it; undefined where a part of the page was given it instead. */
export function onPageOf(document: Document): OnPage | undefined {
  const data = document.getElementById("on-page")?.textContent;
  return data ? (JSON.parse(data) as OnPage) : undefined;
}

export const OnPageContext = createContext<OnPage | undefined>(undefined);
