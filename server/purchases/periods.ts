import type { Tier } from "#contract/tiers.ts";
import { after, DAY } from "#server/base/clock.ts";

export const monthlyPeriod = 30 * DAY;
const annualPeriod = 365 * DAY;

/** How long a payment for this tier opens the course from `start`; null: for ever. */
export function periodEnd(tier: Tier, start: Date): Date | null {
  if (tier === "vip") return null;
  return after(start, tier === "basic" ? monthlyPeriod : annualPeriod);
}

/** Whether a purchase of this tier begins a subscription. */
export function renews(tier: Tier): boolean {
  return tier === "basic";
}
