import { useNavigate } from "react-router";
import { useAddressQuery } from "./address-query.ts";

/** The open tab in the URL, and a function that opens another. The first tab needs no parameter. */
export function useTabInAddress<Tab extends string>(tabs: readonly [Tab, ...Tab[]]): [Tab, (tab: string) => void] {
  const navigate = useNavigate();
  const named = useAddressQuery().get("tab");
  const open = tabs.find((tab) => tab === named) ?? tabs[0];
  function choose(tab: string): void {
    // Reads the current URL: the click that hydrates the page precedes the render that knows it.
    const query = new URLSearchParams(window.location.search);
    if (tab === tabs[0]) query.delete("tab");
    else query.set("tab", tab);
    navigate({ search: query.toString() }, { replace: true, preventScrollReset: true });
  }
  return [open, choose];
}
