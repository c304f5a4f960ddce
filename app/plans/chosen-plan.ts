import { type Tier, tierInQuery, tierLabels } from "#contract/tiers.ts";

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
  return planOf((key) => query.get(key));
}

/** The plan stored in this browser, or null. */
export function savedPlan(): ChosenPlan | null {
  return planOf((key) => withStorage((storage) => storage.getItem(keys[key])));
}

/** Stores the plan in this browser. False where storage is blocked or full. URLs contain the plan as well. */
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

function planOf(read: (key: keyof typeof keys) => string | null): ChosenPlan | null {
  const price = read("price");
  const tier = tierInQuery({ tier: read("tier"), price });
  if (!tier || !price) return null;
  // Ignores the name in the URL, which anybody can write.
  return { tier, price, priceId: read("priceId") || null, name: tierLabels[tier], code: read("code")?.trim() || null };
}

/** Every access to localStorage throws where it is blocked. */
function withStorage<Result>(use: (storage: Storage) => Result | null): Result | null {
  try {
    return use(window.localStorage);
  } catch {
    return null;
  }
}
