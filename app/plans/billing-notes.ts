import type { Tier } from "#contract/tiers.ts";

/** How each plan is paid, shown beside its price. */
export const billingNotes: Readonly<Record<Tier, string>> = {
  basic: "Renews every 30 days until you cancel",
  premium: "One-time payment for 365 days, no renewal",
  vip: "One-time payment, no end date",
};
