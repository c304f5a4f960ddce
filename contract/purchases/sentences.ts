import { type Tier, tierLabels } from "#contract/tiers.ts";

/** Shown instead of a payment form while a payment is being confirmed. */
export const paymentBeingConfirmed = "Your payment is being confirmed. Do not pay again.";

/** Why a student with `owned` cannot buy `wanted`, which is not a higher tier. */
export function alreadyOwned(wanted: Tier, owned: Tier): string {
  if (owned === wanted) return `You already have ${tierLabels[owned]}.`;
  return `You have ${tierLabels[owned]}, which includes everything in ${tierLabels[wanted]}.`;
}
