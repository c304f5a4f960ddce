import { type Tier, tierLabels } from "#contract/tiers.ts";

/** Shown instead of a payment form while a payment is being confirmed. */
export const paymentBeingConfirmed = "Your payment is being confirmed. Do not pay again.";

/** Shown while a dispute is open. */
export const paymentDisputed =
  "One of your payments is disputed at your bank. Until this is settled, we won't charge you, and you can't buy a plan or book a session. Your course stays open. If it's a mistake, ask your bank to withdraw the dispute.";

export const bookingsPaused =
  "We're checking one of your payments, so you can't book new sessions right now. Sessions that you've already booked stay.";

/** Why a student with `owned` cannot buy `wanted`, which is not a higher tier. */
export function alreadyOwned(wanted: Tier, owned: Tier): string {
  if (owned === wanted) return `You already have ${tierLabels[owned]}.`;
  return `You have ${tierLabels[owned]}, which includes everything in ${tierLabels[wanted]}.`;
}
