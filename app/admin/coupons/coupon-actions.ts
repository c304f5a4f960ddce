import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { type Coupon, listCoupons, resumeCoupon } from "#contract/admin/coupons.ts";
import { useAct } from "../act.ts";

export const couponsQuery = queryOptions({
  queryKey: ["admin", "coupons"],
  queryFn: ({ signal }) => api(listCoupons, { signal }),
});

/** Shows the server's reply to a change. */
export function useShown() {
  const queryClient = useQueryClient();
  return (list: Coupon[]) => void queryClient.setQueryData(couponsQuery.queryKey, list);
}

export function useResumeCoupon(code: string) {
  const resume = () => api(resumeCoupon, { params: { code }, body: {} });
  return useAct(resume, { done: "Coupon resumed", failed: "Failed to resume the coupon" }, useShown());
}
