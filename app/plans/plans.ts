import { queryOptions, useQuery } from "@tanstack/react-query";
import { useContext } from "react";
import { api } from "#app/api/api.ts";
import { listPlans, type Plan } from "#contract/catalogue.ts";
import { type OnPage, OnPageContext } from "./on-page.ts";

/** A plan as shown on pages. Prices are in US dollars. */
export interface PlanOnSale extends Omit<Plan, "id"> {
  /** The payment price id. Null while the server's list is unknown, and then the plan cannot be bought. */
  priceId: string | null;
}

/** Whether the chosen price or price id differs from the plan's current one. */
export function isOutdated(chosen: { priceId: string | null; price: string }, plan: PlanOnSale): boolean {
  if (Number(chosen.price) !== plan.price) return true;
  return chosen.priceId !== null && plan.priceId !== null && chosen.priceId !== plan.priceId;
}

/** The plans embedded in the page. Shown until the server has answered, and when it is unreachable. */
export function useBuiltInPlans(): readonly PlanOnSale[] {
  return builtInPlans(useContext(OnPageContext));
}

/** @internal */
export function builtInPlans(onPage: OnPage | undefined): readonly PlanOnSale[] {
  return (onPage?.plans ?? []).map(({ id: _, ...plan }) => ({ ...plan, priceId: null }));
}

export const plansQuery = queryOptions({
  queryKey: ["plans"],
  queryFn: async ({ signal }): Promise<PlanOnSale[]> => {
    const plans = await api(listPlans, { signal });
    return plans.map(({ id, ...plan }) => ({ ...plan, priceId: id }));
  },
});

export function usePlans(): readonly PlanOnSale[] {
  const builtIn = useBuiltInPlans();
  return useQuery(plansQuery).data ?? builtIn;
}
