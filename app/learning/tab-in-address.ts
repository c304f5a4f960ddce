import { navigate, useLocation } from "#app/navigation/router.tsx";

/** Which of the tabs is open, as the address says, and the way to another; the first needs no word in the address. */
export function useTabInAddress<Tab extends string>(tabs: readonly [Tab, ...Tab[]]): [Tab, (tab: string) => void] {
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  const open = tabs.find((tab) => tab === query.get("tab")) ?? tabs[0];
  function choose(tab: string): void {
    if (tab === tabs[0]) query.delete("tab");
    else query.set("tab", tab);
    navigate(query.size > 0 ? `${pathname}?${query}` : pathname, { replace: true });
  }
  return [open, choose];
}
