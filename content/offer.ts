import type { BuiltInPlan } from "./plans.ts";

/** A price comparison beside the plans. Only one with a real end changes what is charged, from its end on. */
export interface Offer {
  /** False hides the countdown, the original prices and every badge below. */
  enabled: boolean;
  countdown: DailyCountdown | CountdownToEnd;
  /**
   * The original price is the plan's price times this factor. The owner must be able to prove that the plans were sold
   * at that price.
   */
  originalPriceFactor: number;
  /** A claim that is only true while the original price is double. */
  discountClaim: string;
  headline: string;
  countdownLabel: string;
  /** Short badges on plans, by tier. */
  badges: Partial<Record<BuiltInPlan["tier"], string>>;
}

/** Cosmetic: counts down from `startSeconds` and restarts. Nothing ends at zero. */
export interface DailyCountdown {
  kind: "daily";
  startSeconds: number;
}

/** Real: shows the time until `endsAt` (ISO 8601, UTC). From then on the plans cost the original prices. */
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
  // 12 months of monthly access cost 12 x $49 = $588, so the annual plan's $397 saves 32%.
  badges: { premium: "Save 30%" },
};
