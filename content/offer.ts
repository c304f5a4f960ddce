import type { BuiltInPlan } from "./plans.ts";

/** A price comparison shown beside the plans. One that ends once changes what is charged from then on; no other does. */
export interface Offer {
  /** False takes the countdown, the struck-out prices and every badge below off the pages. */
  enabled: boolean;
  countdown: DailyCountdown | CountdownToEnd;
  /**
   * The struck-out price is the plan's price times this.
   * The owner must be able to show that the plans were really sold at that price.
   */
  originalPriceFactor: number;
  /** A claim in the same sense: true only while the original price is double. */
  discountClaim: string;
  headline: string;
  countdownLabel: string;
  /** Short badges on single plans, by tier. */
  badges: Partial<Record<BuiltInPlan["tier"], string>>;
}

/** Cosmetic: counts down from `startSeconds`, then starts again. Nothing ends when it reaches zero. */
export interface DailyCountdown {
  kind: "daily";
  startSeconds: number;
}

/** Real: shows the time left until `endsAt` (ISO 8601, UTC). After it the struck-out prices are what the plans cost. */
export interface CountdownToEnd {
  kind: "until";
  endsAt: string;
}

export const offer: Offer = {
  enabled: true,
  countdown: { kind: "daily", startSeconds: 23 * 3600 + 59 * 60 + 47 },
  originalPriceFactor: 2,
  discountClaim: "50% off",
  headline: "50% off every plan",
  countdownLabel: "Today’s price is on the tag for",
  // A year bought month by month costs 12 x $49 = $588, so the annual plan's $397 saves 32%.
  badges: { premium: "Save 30%" },
};
