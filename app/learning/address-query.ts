import { useLocation } from "react-router";
import { useInBrowser } from "#ui/browser-state.ts";

/** The URL's query. Empty in the server's HTML, which is the same for all queries, and until hydration. */
export function useAddressQuery(): URLSearchParams {
  return new URLSearchParams(useInBrowser(useLocation().search, ""));
}
