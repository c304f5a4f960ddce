import { planDays, type Tier } from "#contract/tiers.ts";
import { after, DAY } from "#server/base/clock.ts";

export const monthlyPeriod = planDays.basic * DAY;

/** Null: never. */
export function periodEnd(tier: Tier, start: Date): Date | null {
  const days = planDays[tier];
  return days === null ? null : after(start, days * DAY);
}
