import { useNavigate } from "react-router";
import { useAddressQuery } from "./address-query.ts";

/** Which of the tabs is open, as the address says, and the way to another; the first needs no word in the address. */
export function useTabInAddress<Tab extends string>(tabs: readonly [Tab, ...Tab[]]): [Tab, (tab: string) => void] {
  const navigate = useNavigate();
  const named = useAddressQuery().get("tab");
  const open = tabs.find((tab) => tab === named) ?? tabs[0];
  function choose(tab: string): void {
    // As it is: a press that hydrates the page comes before the rendering that knows the address.
    const query = new URLSearchParams(window.location.search);
    if (tab === tabs[0]) query.delete("tab");
    else query.set("tab", tab);
    navigate({ search: query.toString() }, { replace: true, preventScrollReset: true });
  }
  return [open, choose];
}
