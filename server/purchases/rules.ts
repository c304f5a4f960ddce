import { alreadyOwned } from "#contract/purchases/sentences.ts";
import { type Tier, tierRank } from "#contract/tiers.ts";
import { after, MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";

export const purchaseStatuses = ["pending", "completed", "declined", "failed", "refunded"] as const;
export type PurchaseStatus = (typeof purchaseStatuses)[number];

/** Whether the purchase gives access and renews. */
export function isInEffect({ status }: { readonly status: PurchaseStatus }): boolean {
  return status === "completed";
}

/** Whether the purchase may have charges to refund. */
export function wasPaid(purchase: { readonly status: PurchaseStatus }): boolean {
  return isInEffect(purchase) || purchase.status === "refunded";
}

/** The price in cents of each period after the first. */
export function agreedRenewal(purchase: { readonly amount: number; readonly renewalAmount: number | null }): number {
  return purchase.renewalAmount ?? purchase.amount;
}

/** Two purchases of a year within this time are a double click. */
const doubleBuyWindow = 2 * MINUTE;

/** @throws Refusal plan-mismatch. */
export function requirePlan(plan: { readonly id: string }, priceId: string): void {
  if (priceId === plan.id) return;
  throw new Refusal("plan-mismatch", "The plan does not match the tier. Please choose your plan again.");
}

/** Allows a higher tier, and another year of Annual. @throws Refusal already-owned. */
export function mayBuy(
  wanted: Tier,
  owned: { readonly tier: Tier | null; readonly until: Date | null },
  lastBought: Date | null,
  now: Date,
): void {
  if (owned.tier === null || tierRank(wanted) > tierRank(owned.tier)) return;
  const isAnotherYear = wanted === "premium" && owned.tier === "premium" && owned.until !== null;
  const isDoubleClick = lastBought !== null && now < after(lastBought, doubleBuyWindow);
  if (!isAnotherYear || isDoubleClick) throw new Refusal("already-owned", alreadyOwned(wanted, owned.tier));
}
