import type { PlanNames, Tier } from "#contract/tiers.ts";
import { formatDollars } from "../money.ts";
import type { Receipt } from "./receipts.ts";

/** Shown instead of a payment form while a payment is being confirmed. */
export const paymentBeingConfirmed = "Your payment is being confirmed. Do not pay again.";

/**
 * What renewals cost, in US dollars: "$49.00 every 30 days", or while a coupon discounts them "$24.50 for 2 more
 * payments, then $49.00 every 30 days".
 */
export function renewalPrices(
  price: number | string,
  later: { readonly after: number; readonly price: number | string } | null,
): string {
  if (!later) return `${formatDollars(price)} every 30 days`;
  const times = later.after === 1 ? "once more" : `for ${later.after} more payments`;
  return `${formatDollars(price)} ${times}, then ${formatDollars(later.price)} every 30 days`;
}

/** What a buyer agrees to, in US dollars: "$24.50 today and for the next 2 payments, then $49.00 every 30 days". */
export function todayAndLater(today: number, later: number | string, discountedRenewals: number): string {
  const count = discountedRenewals === 1 ? "payment" : `${discountedRenewals} payments`;
  // The quote of a previous release, which may still run beside this one, has no such number.
  const more = discountedRenewals ? ` and for the next ${count}` : "";
  return `${formatDollars(today)} today${more}, then ${formatDollars(later)} every 30 days`;
}

/** Why a student with `owned` cannot buy `wanted`, which is not a higher tier. */
export function alreadyOwned(wanted: Tier, owned: Tier, names: PlanNames): string {
  if (owned === wanted) return `You already have ${names[owned]}.`;
  return `You have ${names[owned]}, which includes everything in ${names[wanted]}.`;
}

/** What the charge of a receipt was for. */
export function chargeWords(
  { kind, coversFrom, renewsEvery30Days, coaching, timeZone }: Receipt,
  formatDay: (iso: string, timeZone: string) => string,
): string {
  if (kind === "renewal" && coversFrom) return `Renewal for 30 days from ${formatDay(coversFrom, timeZone)}`;
  if (renewsEvery30Days) return "First 30 days. Renews every 30 days until you cancel.";
  return `One-time payment. It won't renew.${coaching ? ` Includes 1-on-1 coaching: ${coaching}.` : ""}`;
}
