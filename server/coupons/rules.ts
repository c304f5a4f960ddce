import { asTyped } from "#contract/as-typed.ts";
import { minChargeCents } from "#contract/money.ts";
import type { Tier } from "#contract/tiers.ts";

export const couponKinds = ["percent", "fixed"] as const;
export type CouponKind = (typeof couponKinds)[number];

/** A released use can be reserved again. */
export const useStates = ["reserved", "used", "released"] as const;
export type UseState = (typeof useStates)[number];

/** States that count towards the limit. */
export const takenStates = ["reserved", "used"] as const satisfies readonly UseState[];

export function takes(state: UseState | null): boolean {
  return takenStates.some((taken) => taken === state);
}

export interface CouponWorth {
  readonly kind: CouponKind;
  readonly percent: number | null;
  /** Cents. */
  readonly off: number | null;
}

interface CouponTerms extends CouponWorth {
  readonly plans: readonly Tier[];
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly maxUses: number | null;
  readonly uses: number;
  readonly firstPurchaseOnly: boolean;
  readonly isActive: boolean;
}

/** The discount in cents, rounded down; at least `minChargeCents` is left to pay. */
export function discountOf({ kind, percent, off }: CouponWorth, listCents: number): number {
  const offered = kind === "percent" ? Math.floor((listCents * (percent ?? 0)) / 100) : (off ?? 0);
  return Math.max(0, Math.min(offered, listCents - minChargeCents));
}

/** Whether the coupon fits the purchase, apart from its number of uses, which is checked when one is reserved. */
export function isFor(
  coupon: CouponTerms,
  { tier, hasPaidBefore, at }: { readonly tier: Tier; readonly hasPaidBefore: boolean; readonly at: Date },
): boolean {
  const isRunning = coupon.isActive && coupon.startsAt <= at && at < coupon.endsAt;
  return isRunning && coupon.plans.includes(tier) && !(coupon.firstPurchaseOnly && hasPaidBefore);
}

export function hasUsesLeft({ uses, maxUses }: Pick<CouponTerms, "uses" | "maxUses">): boolean {
  return maxUses === null || uses < maxUses;
}

const codePattern = /^[A-Z0-9-]{4,24}$/;

/** The code as it is stored, in upper case; empty if no coupon can have it. */
export function codeOf(typed: string): string {
  const code = asTyped(typed).trim().toUpperCase();
  return codePattern.test(code) ? code : "";
}
