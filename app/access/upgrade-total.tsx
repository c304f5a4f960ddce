import { Suspense } from "react";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { type Tier, tierRank } from "#contract/tiers.ts";
import { optional } from "#ui/feedback/optional.ts";

// The plan's own page shows the same total.
const CreditedTotal = optional(() => import("./credited-total.tsx"));

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
