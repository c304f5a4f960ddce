import { decimalAmount } from "#contract/money.ts";
import type { LaterPrice } from "#contract/purchases/purchases.ts";
import { alreadyOwned } from "#contract/purchases/sentences.ts";
import { type PlanNames, type Tier, tierRank } from "#contract/tiers.ts";
import { after, DAY, MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";

export const purchaseStatuses = ["pending", "completed", "declined", "failed", "refunded"] as const;
export type PurchaseStatus = (typeof purchaseStatuses)[number];

interface Money {
  readonly status: PurchaseStatus;
  readonly givesAccess: boolean | null;
}

/** Whether the purchase gives access and may renew: while it is completed, unless a refund decided otherwise. */
export function isInEffect({ status, givesAccess }: Money): boolean {
  return givesAccess ?? status === "completed";
}

/** Whether upgrades are credited with its value: while it is in effect, and something of it is kept. */
export function givesCredit(purchase: Money): boolean {
  return purchase.status === "completed" && isInEffect(purchase);
}

/** Whether the purchase may have charges to refund. */
export function wasPaid({ status }: { readonly status: PurchaseStatus }): boolean {
  return status === "completed" || status === "refunded";
}

/** A purchase is refunded when nothing of its charges is kept. Whether it gives access stays as it is. */
export function withMoneyKept(purchase: Money, isKept: boolean): Money {
  const status = isKept ? "completed" : "refunded";
  const givesAccess = isInEffect(purchase);
  return { status, givesAccess: givesAccess === isKept ? null : givesAccess };
}

/** The price in cents of the first renewal. */
export function agreedRenewal(purchase: { readonly amount: number; readonly renewalAmount: number | null }): number {
  return purchase.renewalAmount ?? purchase.amount;
}

/** What each coming renewal costs, in cents. */
export interface AgreedPrices {
  readonly price: number;
  /** Charges at `price` until `laterPrice`; 0 without one. */
  readonly discountedLeft: number;
  readonly laterPrice: number | null;
}

/** By the terms of the purchase and its paid renewals, so that counting again changes nothing. */
export function agreedPrices(
  purchase: {
    readonly amount: number;
    readonly renewalAmount: number | null;
    readonly discountedRenewals: number;
    readonly laterAmount: number | null;
  },
  renewalsPaid: number,
): AgreedPrices {
  const { discountedRenewals, laterAmount } = purchase;
  const left = discountedRenewals - renewalsPaid;
  if (laterAmount === null || left > 0) {
    return { price: agreedRenewal(purchase), discountedLeft: Math.max(0, left), laterPrice: laterAmount };
  }
  return { price: laterAmount, discountedLeft: 0, laterPrice: null };
}

/** In US dollars. Null without a discount. */
export function laterOf({ discountedLeft: after, laterPrice }: Omit<AgreedPrices, "price">): LaterPrice | null {
  return laterPrice === null ? null : { after, price: decimalAmount(laterPrice) };
}

/** Two purchases of a year within this time are a double click. */
const doubleBuyWindow = 2 * MINUTE;

/** @throws Refusal plan-mismatch. */
export function requirePlan(plan: { readonly id: string }, priceId: string): void {
  if (priceId === plan.id) return;
  throw new Refusal("plan-mismatch", "This link is out of date. Please choose your plan again.");
}

/** Allows a higher tier, and another year of Annual. @throws Refusal already-owned. */
export function mayBuy(
  wanted: Tier,
  owned: { readonly tier: Tier | null; readonly until: Date | null },
  lastBought: Date | null,
  now: Date,
  names: PlanNames,
): void {
  if (owned.tier === null || tierRank(wanted) > tierRank(owned.tier)) return;
  const isAnotherYear = wanted === "premium" && owned.tier === "premium" && owned.until !== null;
  if (!isAnotherYear) throw new Refusal("already-owned", alreadyOwned(wanted, owned.tier, names));
  const isDoubleClick = lastBought !== null && now < after(lastBought, doubleBuyWindow);
  if (!isDoubleClick) return;
  const justBought = `You just bought ${names.premium}. To add another 365 days, come back in two minutes.`;
  throw new Refusal("already-owned", justBought);
}

/** The end of a first purchase's refund period. Later refunds need an administrator's reason. */
export function policyUntil(first: { readonly paidAt: Date; readonly refundDays: number }): Date {
  return after(first.paidAt, first.refundDays * DAY);
}
