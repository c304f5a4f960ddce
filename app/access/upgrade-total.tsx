import { lazy, Suspense } from "react";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { type Tier, tierRank } from "#contract/tiers.ts";

// Where its code cannot be fetched, the plan's own page says the total.
const CreditedTotal = lazy(() => import("./credited-total.tsx").catch(() => ({ default: () => null })));

/** What a higher plan costs a student today, where something is credited; nothing for everybody else. */
export function UpgradeTotal({ tier }: { tier: Tier }) {
  const owned = useCurrentUser().user?.purchasedTier ?? null;
  if (owned === null || tierRank(owned) >= tierRank(tier)) return null;
  return (
    <Suspense>
      <CreditedTotal tier={tier} />
    </Suspense>
  );
}
