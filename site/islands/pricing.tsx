import type { ReactNode } from "react";
import type { OnPage } from "#app/plans/on-page.ts";
import { tiers } from "#contract/tiers.ts";
import { Pricing as Plans } from "#site/landing/pricing/pricing.tsx";
import { useHydrated } from "#ui/browser-state.ts";
import { Island } from "./island.tsx";

interface PricingProps {
  heading: { title: string; lead: string };
  onPage: OnPage;
  children?: ReactNode;
}

/** The plans. The one in the URL's `plan` is marked. */
export function Pricing({ heading, onPage, children }: PricingProps) {
  const isHydrated = useHydrated();
  const wanted = isHydrated ? new URLSearchParams(window.location.search).get("plan") : null;
  return (
    <Island onPage={onPage}>
      <Plans heading={heading} markedTier={tiers.find((tier) => tier === wanted) ?? null}>
        {children}
      </Plans>
    </Island>
  );
}
