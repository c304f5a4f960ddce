import { useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { type Coupon, listCoupons, resumeCoupon } from "#contract/admin/coupons.ts";
import { useAct } from "../act.ts";

/** Shows the server's reply to a change. */
export function useShown() {
  const queryClient = useQueryClient();
  return (list: Coupon[]) => void queryClient.setQueryData(queryOf(listCoupons).queryKey, list);
}

export function useResumeCoupon(code: string) {
  const resume = () => api(resumeCoupon, { params: { code }, body: {} });
  return useAct(resume, { done: "Coupon resumed", failed: "Failed to resume the coupon" }, useShown());
}
