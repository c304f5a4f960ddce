import type { Tier } from "#contract/tiers.ts";
import { after, DAY } from "#server/base/clock.ts";

export const monthlyPeriod = 30 * DAY;
const annualPeriod = 365 * DAY;

/** Null: for ever. */
export function periodEnd(tier: Tier, start: Date): Date | null {
  if (tier === "vip") return null;
  return after(start, tier === "basic" ? monthlyPeriod : annualPeriod);
}

export function renews(tier: Tier): boolean {
  return tier === "basic";
}
