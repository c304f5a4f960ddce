import { type CouponTerms, createCoupon } from "#contract/admin/coupons.ts";
import type { Visitor } from "./visitor.ts";

/** Creates a coupon as an administrator. By default 15 % off every plan, for the next months. */
export async function makeCoupon(
  administrator: Visitor,
  code: string,
  now: number,
  terms: Partial<CouponTerms> = {},
): Promise<string> {
  const day = 86_400_000;
  const body = {
    code,
    kind: "percent",
    value: 15,
    plans: ["basic", "premium", "vip"],
    startsAt: new Date(now - day).toISOString(),
    endsAt: new Date(now + 200 * day).toISOString(),
    maxUses: null,
    firstPurchaseOnly: false,
    ...terms,
  };
  const { status, body: answer } = await administrator.call(createCoupon, { body });
  if (status !== 200) throw new Error(`no coupon ${code}: ${status} ${JSON.stringify(answer)}`);
  return code;
}
