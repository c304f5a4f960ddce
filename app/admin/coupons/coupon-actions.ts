import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { api, faultsIn } from "#app/api/api.ts";
import type { Faults } from "#app/api/use-form.ts";
import {
  type Coupon,
  type CouponTerms,
  changeCoupon,
  createCoupon,
  endCoupon,
  listCoupons,
  resumeCoupon,
} from "#contract/admin/coupons.ts";
import { type ActionWords, useAct } from "../act.ts";

export const couponsQuery = queryOptions({
  queryKey: ["admin", "coupons"],
  queryFn: ({ signal }) => api(listCoupons, { signal }),
});

/** Creates a coupon if `coupon` is null, else changes it. */
export function useKeepCoupon(coupon: Coupon | null, onDone: () => void, show: (faults: Faults) => boolean) {
  return useCouponAct(
    ({ code, version, terms }: { code: string; version: string | undefined; terms: CouponTerms }) =>
      coupon
        ? api(changeCoupon, { params: { code: coupon.code }, query: { version }, body: terms })
        : api(createCoupon, { body: { code, ...terms } }),
    { done: coupon ? "Coupon saved" : "Coupon made", failed: "Failed to keep the coupon" },
    onDone,
    show,
  );
}

export function useEndCoupon(code: string, onDone: () => void) {
  const end = () => api(endCoupon, { params: { code }, body: {} });
  return useCouponAct(end, { done: "Coupon ended", failed: "Failed to end the coupon" }, onDone);
}

export function useResumeCoupon(code: string) {
  const resume = () => api(resumeCoupon, { params: { code }, body: {} });
  return useCouponAct(resume, { done: "Coupon resumed", failed: "Failed to resume the coupon" });
}

function useCouponAct<Input>(
  change: (input: Input) => Promise<Coupon[]>,
  words: ActionWords<Coupon[]>,
  onDone?: () => void,
  show?: (faults: Faults) => boolean,
) {
  const queryClient = useQueryClient();
  return useAct(
    change,
    words,
    (list) => {
      queryClient.setQueryData(couponsQuery.queryKey, list);
      onDone?.();
    },
    undefined,
    (error) => show?.(faultsIn(error)) ?? false,
  );
}
