import type { PlanNames, Tier } from "#contract/tiers.ts";
import type { Receipt } from "./receipts.ts";

/** Shown instead of a payment form while a payment is being confirmed. */
export const paymentBeingConfirmed = "Your payment is being confirmed. Do not pay again.";

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
