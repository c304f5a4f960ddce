import type { Tier } from "#contract/tiers.ts";
import { after, DAY } from "#server/base/clock.ts";
import { discountOf } from "#server/coupons/rules.ts";
import type { CouponRow, couponUses } from "#server/coupons/tables.ts";
import { wasPaid } from "#server/purchases/rules.ts";
import type { PastPurchase } from "./rows.ts";
import { SeededRandom } from "./seeded-random.ts";

/** A coupon that a buyer of the simulated year has. */
export interface PastCoupon {
  readonly code: string;
  readonly cents: number;
}

/** The coupons of the year up to `now`. The first is still active, and the last begins now, so that nobody has used it. */
export function couponsOf(opened: Date, now: Date): CouponRow[] {
  const coupon = (code: string, plans: Tier[], from: number, to: number) => ({
    code,
    plans,
    startsAt: after(opened, from * DAY),
    endsAt: after(opened, to * DAY),
    uses: 0,
    isActive: true,
    batchId: null,
    renewals: 0,
    createdAt: after(opened, (from - 2) * DAY),
  });
  const percent = (percent: number) => ({ kind: "percent" as const, percent, off: null });
  const today = (now.getTime() - opened.getTime()) / DAY;
  return [
    {
      ...coupon("WELCOME10", ["basic", "premium"], 2, 365 + 60),
      ...percent(10),
      maxUses: null,
      firstPurchaseOnly: true,
    },
    {
      ...coupon("SPRING15", ["basic", "premium", "vip"], 120, 165),
      ...percent(15),
      maxUses: 200,
      firstPurchaseOnly: false,
    },
    {
      ...coupon("ANNUAL-50", ["premium"], 240, 300),
      ...{ kind: "fixed" as const, percent: null, off: 50_00 },
      ...{ maxUses: 100, firstPurchaseOnly: false },
    },
    {
      ...coupon("FIRST3-20", ["basic"], today, today + 60),
      ...percent(20),
      ...{ maxUses: null, firstPurchaseOnly: true, renewals: 2 },
    },
  ].filter(({ createdAt }) => createdAt < now);
}

/** From a generator of its own, so that coupons change nothing else in the simulation. */
export function couponInHand(
  coupons: readonly CouponRow[],
  buyer: { readonly user: { readonly email: string }; readonly purchases: readonly PastPurchase[] },
  plan: { readonly tier: Tier; readonly price: number },
  now: Date,
): PastCoupon | null {
  const { purchases } = buyer;
  const hasPaidBefore = purchases.some(wasPaid);
  for (const coupon of coupons) {
    const { code, startsAt, endsAt, plans, firstPurchaseOnly } = coupon;
    const isOver = now < startsAt || now >= endsAt || !plans.includes(plan.tier);
    const isTaken = purchases.some((one) => one.couponCode === code && wasPaid(one));
    if (isOver || isTaken || (firstPurchaseOnly && hasPaidBefore)) continue;
    if (new SeededRandom(buyer.user.email, code).happens(0.22)) return { code, cents: discountOf(coupon, plan.price) };
  }
  return null;
}

export function usesOf(purchases: readonly PastPurchase[]): (typeof couponUses.$inferSelect)[] {
  const uses = new Map<string, typeof couponUses.$inferSelect>();
  for (const purchase of purchases) {
    const { couponCode, userId, createdAt } = purchase;
    if (couponCode === null) continue;
    const key = `${couponCode} ${userId}`;
    const state = wasPaid(purchase) || uses.get(key)?.state === "used" ? "used" : "released";
    uses.set(key, { couponCode, userId, addressHash: null, state, updatedAt: purchase.completedAt ?? createdAt });
  }
  return [...uses.values()];
}
