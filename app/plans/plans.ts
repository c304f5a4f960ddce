import { queryOptions, useQuery } from "@tanstack/react-query";
import { useContext } from "react";
import { api } from "#app/api/api.ts";
import { listPlans, type Plan } from "#contract/catalogue.ts";
import { type OnPage, OnPageContext } from "./on-page.ts";

/** A plan as the pages show it. Prices are in US dollars. */
export interface PlanOnSale extends Omit<Plan, "id"> {
  /** The payment price identifier; null while the server's list is not known, and then nothing can be bought by it. */
  priceId: string | null;
}

/** Whether what somebody chose has another price, or another price id, than the plan has now. */
export function isOutdated(chosen: { priceId: string | null; price: string }, plan: PlanOnSale): boolean {
  if (Number(chosen.price) !== plan.price) return true;
  return chosen.priceId !== null && plan.priceId !== null && chosen.priceId !== plan.priceId;
}

/** The plans that came with the page: shown until the server has answered, and when it cannot. */
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
