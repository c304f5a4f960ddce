import type { Labels } from "#app/editing/fields.tsx";
import { href } from "#contract/addresses.ts";
import type { Coupon, CouponState } from "#contract/admin/coupons.ts";
import { formatPrice } from "#contract/money.ts";
import { type Tier, tiers } from "#contract/tiers.ts";
import { planName } from "#ui/academy.ts";

export const stateWords: Readonly<Record<CouponState, { tone: "success" | "tag" | "plain"; words: string }>> = {
  running: { tone: "success", words: "Running" },
  planned: { tone: "tag", words: "Planned" },
  "used-up": { tone: "plain", words: "Used up" },
  over: { tone: "plain", words: "Ended" },
  ended: { tone: "plain", words: "Ended early" },
};

export const kindOptions = [
  ["percent", "Percent off the price"],
  ["fixed", "Dollars off the price"],
] as const;

/** The terms in the audit log. */
export const couponLabels: Labels<Coupon> = {
  kind: { label: "Type", options: kindOptions },
  value: "Amount",
  renewals: "Discounted renewals",
  plans: { label: "For", words: (plans: Tier[]) => plans.map((tier) => planName(tier)).join(", ") },
  firstPurchaseOnly: "First purchases only",
  startsAt: "Starts",
  endsAt: "Ends",
  maxUses: { label: "Total uses", options: [["", "no limit"]] },
};

/** "15% off Monthly Access and Annual Access" */
export function worthWords({ kind, value, plans }: Coupon): string {
  const off = kind === "percent" ? `${value}% off` : `${formatPrice(value)} off`;
  if (plans.length === tiers.length) return `${off} every plan`;
  const names = tiers.filter((tier) => plans.includes(tier)).map((tier) => planName(tier));
  return `${off} ${names.join(" and ")}`;
}

/** "also the next 3 renewals" */
export function renewalsWords({ renewals }: Coupon): string {
  return `also the next ${renewals === 1 ? "renewal" : `${renewals} renewals`}`;
}

/** "12 of 50 used, 1 in checkout" */
export function usesWords({ used, reserved, maxUses }: Coupon): string {
  const taken = `${used}${maxUses === null ? "" : ` of ${maxUses}`} used`;
  return reserved === 0 ? taken : `${taken}, ${reserved} in checkout`;
}

/** A link to the prices, whose plans then keep the code. */
export function linkOf(code: string): string {
  return new URL(`/?code=${code}${href.section("pricing").slice(1)}`, window.location.origin).href;
}
