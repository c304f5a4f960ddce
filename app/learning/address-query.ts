import { useLocation } from "react-router";
import { useHydrated } from "#ui/browser-state.ts";

/** The query of the address; empty in HTML that came from the server, which knows of none, and until that is hydrated. */
export function useAddressQuery(): URLSearchParams {
  const { search } = useLocation();
  return new URLSearchParams(useHydrated() ? search : "");
}
