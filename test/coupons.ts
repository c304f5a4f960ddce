import { type CouponTerms, createCoupon } from "#contract/admin/coupons.ts";
import type { RunningAcademy } from "./academy.ts";
import { confirmAddress } from "./coaching.ts";
import type { Visitor } from "./visitor.ts";

/** Signs up a student with a confirmed address, which a code needs. */
export async function signUpConfirmed(
  academy: Pick<RunningAcademy, "pool" | "visitor">,
  email?: string,
): Promise<Visitor> {
  const student = await academy.visitor().signUp(email);
  await confirmAddress(academy, student);
  return student;
}

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
    renewals: 0,
    ...terms,
  };
  const { status, body: answer } = await administrator.call(createCoupon, { body });
  if (status !== 200) throw new Error(`no coupon ${code}: ${status} ${JSON.stringify(answer)}`);
  return code;
}

let made = 0;

/** The same, with a code of its own. */
export async function newCoupon(
  academy: Pick<RunningAcademy, "now">,
  administrator: Visitor,
  terms?: Partial<CouponTerms>,
): Promise<string> {
  made += 1;
  return makeCoupon(administrator, `COUPON-${made}`, await academy.now(), terms);
}
