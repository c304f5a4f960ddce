import { queryOptions, useQuery } from "@tanstack/react-query";
import { offer } from "#content/offer.ts";
import { plans as builtIn } from "#content/plans.ts";
import { listPlans, type Plan } from "#contract/catalogue.ts";
import { api } from "../../api.ts";

/** A plan as the pages show it. Prices are in US dollars. */
export interface PlanOnSale extends Omit<Plan, "id"> {
  /** The payment price identifier; null while the server's list is not known, and then nothing can be bought by it. */
  priceId: string | null;
}

/** Shown until the server has answered, and when it cannot. */
export const builtInPlans: readonly PlanOnSale[] = builtIn.map(({ id: _, priceCents, ...plan }) => ({
  ...plan,
  priceId: null,
  price: priceCents / 100,
  originalPrice: (priceCents / 100) * offer.originalPriceFactor,
  popular: plan.tier === "premium",
}));

export const plansQuery = queryOptions({
  queryKey: ["plans"],
  queryFn: async ({ signal }): Promise<PlanOnSale[]> => {
    const plans = await api(listPlans, { signal });
    return plans.map(({ id, ...plan }) => ({ ...plan, priceId: id }));
  },
});

export function usePlans(): readonly PlanOnSale[] {
  return useQuery(plansQuery).data ?? builtInPlans;
}
