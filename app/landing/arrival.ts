import { useEffect, useRef } from "react";
import { loginUrl } from "#contract/identity/identity.ts";
import { type Tier, tiers } from "#contract/tiers.ts";
import { href } from "../addresses.ts";
import { jumpTo } from "../navigation/navigation.tsx";
import { navigate, useLocation } from "../navigation/router.tsx";
import { planInQuery, savePlan } from "../purchases/plans/chosen-plan.ts";
import { useHydrated } from "../ui/browser-state.ts";

/**
 * Acts on the landing page's query and returns the plan that it marks. `?plan=` scrolls to the prices;
 * `?signup=true` with a plan keeps the plan in this browser, clears the address and sends the browser to sign in,
 * from where it comes back to the checkout.
 */
export function useArrival(): Tier | null {
  const { search } = useLocation();
  const hydrated = useHydrated();
  const query = new URLSearchParams(search);
  const marked = tiers.find((tier) => tier === query.get("plan")) ?? null;
  const handled = useRef("");

  useEffect(() => {
    // Strict mode runs effects twice, and a second sign-in request would cross the first.
    if (handled.current === search) return;
    handled.current = search;
    const query = new URLSearchParams(search);
    const chosen = query.get("signup") === "true" ? planInQuery(query) : null;
    if (chosen?.priceId) {
      savePlan(chosen);
      navigate(href.home(), { replace: true });
      window.location.assign(loginUrl(href.checkout({ ...chosen, priceId: chosen.priceId })));
    } else if (query.has("plan")) {
      const pricing = document.getElementById("pricing");
      if (pricing) jumpTo(pricing);
    }
  }, [search]);

  // The prerendered markup knows no query, so the mark appears after hydration.
  return hydrated ? marked : null;
}
