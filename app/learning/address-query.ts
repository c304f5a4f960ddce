import { useLocation } from "react-router";
import { useInBrowser } from "#ui/browser-state.ts";

/** The query of the address; empty in HTML that came from the server, which knows of none, and until that is hydrated. */
export function useAddressQuery(): URLSearchParams {
  return new URLSearchParams(useInBrowser(useLocation().search, ""));
}
