import { type Tier, tierInQuery } from "#contract/tiers.ts";
import { planName } from "#ui/academy.ts";

/**
 * The plan that a visitor picked before signing in, kept in this browser between pages. The server decides what it
 * costs.
 */
export interface ChosenPlan {
  tier: Tier;
  /** Null when the plan was shown without one. */
  priceId: string | null;
  /** US dollars as written in URLs: "397". */
  price: string;
  name: string;
  /** The coupon code in the URL. */
  code: string | null;
}

const keys = {
  tier: "planTier",
  priceId: "planPriceId",
  price: "planPrice",
  name: "planName",
  code: "planCode",
} as const;

/** The plan in a URL's `tier`, `priceId` and `price`. Null without a known tier or a numeric price. */
export function planInQuery(query: URLSearchParams): ChosenPlan | null {
  const price = query.get("price");
  const tier = tierInQuery({ tier: query.get("tier"), price });
  if (!tier || !price) return null;
  // Ignores the name in the URL, which anybody can write.
  return {
    ...{ tier, price, name: planName(tier) },
    priceId: query.get("priceId") || null,
    code: query.get("code")?.trim() || null,
  };
}

/** Stores the plan in this browser, for a visit to `/signup` without one (`site/scripts/signup.ts`). False where storage is blocked or full. URLs contain the plan as well. */
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

/** Deletes the stored plan, for example after its purchase. */
export function forgetPlan(): void {
  withStorage((storage) => {
    for (const key of Object.values(keys)) storage.removeItem(key);
    return null;
  });
}

/** Every access to localStorage throws where it is blocked. */
function withStorage<Result>(use: (storage: Storage) => Result | null): Result | null {
  try {
    return use(window.localStorage);
  } catch {
    return null;
  }
}
