import { type Tier, tierLabels } from "#contract/tiers.ts";

/** Where one would pay, while a payment is being confirmed. */
export const paymentBeingConfirmed = "Your payment is being confirmed. Do not pay again.";

/** Why somebody who has `owned` need not buy `wanted`, which is no higher tier. */
export function alreadyOwned(wanted: Tier, owned: Tier): string {
  if (owned === wanted) return `You already have ${tierLabels[owned]}.`;
  return `You have ${tierLabels[owned]}, which includes everything in ${tierLabels[wanted]}.`;
}
