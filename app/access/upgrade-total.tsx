import { lazy, Suspense } from "react";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { type Tier, tierRank } from "#contract/tiers.ts";

// If this chunk fails to load, the student still sees the total on the plan's own page.
const CreditedTotal = lazy(() => import("./credited-total.tsx").catch(() => ({ default: () => null })));

/** The student's total today for a higher plan, when something is credited. Renders nothing otherwise. */
export function UpgradeTotal({ tier }: { tier: Tier }) {
  const owned = useCurrentUser().user?.purchasedTier ?? null;
  if (owned === null || tierRank(owned) >= tierRank(tier)) return null;
  return (
    <Suspense>
      <CreditedTotal tier={tier} />
    </Suspense>
  );
}
