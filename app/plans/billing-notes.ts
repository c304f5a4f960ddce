import type { Tier } from "#contract/tiers.ts";

/** How each plan is paid, shown beside its price. */
export const billingNotes: Readonly<Record<Tier, string>> = {
  basic: "renews every 30 days until you cancel",
  premium: "one-time payment for 365 days, no renewal",
  vip: "one-time payment, no end date",
};
