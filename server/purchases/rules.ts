import { type Tier, tierLabels, tierRank } from "#contract/tiers.ts";
import { after, MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";

export const purchaseStatuses = ["pending", "completed", "declined", "failed", "refunded"] as const;
export type PurchaseStatus = (typeof purchaseStatuses)[number];

/** Whether a purchase counts as paid: it opens its tier, and its subscription renews. */
export function countsAsPaid({ status }: { readonly status: PurchaseStatus }): boolean {
  return status === "completed";
}

/** Whether a purchase was ever paid: it may have charges to pay back. */
export function wasPaid(purchase: { readonly status: PurchaseStatus }): boolean {
  return countsAsPaid(purchase) || purchase.status === "refunded";
}

/** Two purchases of a year within this time are taken for a double click. */
const doubleBuyWindow = 2 * MINUTE;

/** Checks that the page named the plan that is sold for its tier. @throws Refusal plan-mismatch. */
export function requirePlan(plan: { readonly id: string }, priceId: string): void {
  if (priceId === plan.id) return;
  throw new Refusal("plan-mismatch", "The plan does not match the tier. Please choose your plan again.");
}

/**
 * Whether somebody who has `owned` may buy `wanted`: a higher tier always, the same one only to add a year to Annual.
 * @throws Refusal already-owned.
 */
export function mayBuy(wanted: Tier, owned: Tier | null, lastBought: Date | null, now: Date): void {
  if (owned === null || tierRank(wanted) > tierRank(owned)) return;
  if (tierRank(wanted) < tierRank(owned)) {
    throw new Refusal(
      "already-owned",
      `You have ${tierLabels[owned]}, which includes everything in ${tierLabels[wanted]}.`,
    );
  }
  if (wanted !== "premium" || (lastBought && now < after(lastBought, doubleBuyWindow))) {
    throw new Refusal("already-owned", `You already have ${tierLabels[owned]}.`);
  }
}
