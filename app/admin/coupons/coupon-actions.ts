import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { type Coupon, endCoupon, listCoupons, resumeCoupon } from "#contract/admin/coupons.ts";
import { type ActionWords, useAct } from "../act.ts";

export const couponsQuery = queryOptions({
  queryKey: ["admin", "coupons"],
  queryFn: ({ signal }) => api(listCoupons, { signal }),
});

export function useEndCoupon(code: string, onDone: () => void) {
  const end = () => api(endCoupon, { params: { code }, body: {} });
  return useCouponAct(end, { done: "Coupon ended", failed: "Failed to end the coupon" }, onDone);
}

export function useResumeCoupon(code: string) {
  const resume = () => api(resumeCoupon, { params: { code }, body: {} });
  return useCouponAct(resume, { done: "Coupon resumed", failed: "Failed to resume the coupon" });
}

function useCouponAct(change: () => Promise<Coupon[]>, words: ActionWords<Coupon[]>, onDone?: () => void) {
  const queryClient = useQueryClient();
  return useAct(change, words, (list) => {
    queryClient.setQueryData(couponsQuery.queryKey, list);
    onDone?.();
  });
}
