import { type Tier, tierLabels, tiers } from "#contract/tiers.ts";

/** What a visitor picked before signing in, as it is kept in this browser between pages. It selects; it decides nothing. */
export interface ChosenPlan {
  tier: Tier;
  /** Null when the plan was shown without one. */
  priceId: string | null;
  /** US dollars, as written in addresses: "397". */
  price: string;
  name: string;
  /** A coupon's, as the address has it. */
  code: string | null;
}

const keys = {
  tier: "planTier",
  priceId: "planPriceId",
  price: "planPrice",
  name: "planName",
  code: "planCode",
} as const;

/** The plan that an address names by `tier`, `priceId` and `price`; null without a known tier and a number for a price. */
export function planInQuery(query: URLSearchParams): ChosenPlan | null {
  return planOf((key) => query.get(key));
}

/** The plan kept in this browser, or null. */
export function savedPlan(): ChosenPlan | null {
  return planOf((key) => withStorage((storage) => storage.getItem(keys[key])));
}

/** Keeps the plan in this browser. False where storage is switched off or full; addresses carry the plan as well. */
export function savePlan(plan: ChosenPlan): boolean {
  return (
    withStorage((storage) => {
      storage.setItem(keys.tier, plan.tier);
      for (const key of ["priceId", "code"] as const) {
        const value = plan[key];
        if (value === null) storage.removeItem(keys[key]);
        else storage.setItem(keys[key], value);
      }
      storage.setItem(keys.price, plan.price);
      storage.setItem(keys.name, plan.name);
      return true;
    }) ?? false
  );
}

/** Forgets it, for instance once it is paid. */
export function forgetPlan(): void {
  withStorage((storage) => {
    for (const key of Object.values(keys)) storage.removeItem(key);
    return null;
  });
}

function planOf(read: (key: keyof typeof keys) => string | null): ChosenPlan | null {
  const tier = tiers.find((known) => known === read("tier"));
  const price = read("price");
  if (!tier || !price || !Number.isFinite(Number(price))) return null;
  // Not as the address says: anybody can write one.
  return { tier, price, priceId: read("priceId") || null, name: tierLabels[tier], code: read("code")?.trim() || null };
}

/** Merely touching localStorage throws where the person has switched it off. */
function withStorage<Result>(use: (storage: Storage) => Result | null): Result | null {
  try {
    return use(window.localStorage);
  } catch {
    return null;
  }
}
