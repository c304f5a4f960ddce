import { createContext } from "react";
import type { PageFacts } from "#contract/page-facts.ts";

/** The plans, the offer and the claims that the server embeds in each page. */
export type OnPage = Pick<PageFacts, "plans" | "offer"> & Partial<Pick<PageFacts, "claims">>;

/** Reads the document's embedded data. Undefined in pages whose parts received it as a property. */
export function onPageOf(document: Document): OnPage | undefined {
  const data = document.getElementById("on-page")?.textContent;
  return data ? (JSON.parse(data) as OnPage) : undefined;
}

export const OnPageContext = createContext<OnPage | undefined>(undefined);
