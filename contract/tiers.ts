import { z } from "zod";

/** The three tiers, lowest first. Each includes the previous ones. */
export const tiers = ["basic", "premium", "vip"] as const;

export const Tier = z.enum(tiers);
export type Tier = z.infer<typeof Tier>;

/** What each tier's plan is called. */
export type PlanNames = Readonly<Record<Tier, string>>;

/** Replaces `{plan:basic}` by the name of the plan, and likewise for the other tiers. */
export function withPlanNames(text: string, names: PlanNames): string {
  return text.replaceAll(/\{plan:(basic|premium|vip)\}/g, (_, tier: Tier) => names[tier]);
}

/** Days of 24 hours that one payment covers. Null: for ever. */
export const planDays = { basic: 30, premium: 365, vip: null } as const satisfies Record<Tier, number | null>;

/** Whether its plan is charged again for each period, until the student cancels. */
export function renews(tier: Tier): boolean {
  return tier === "basic";
}

/** The lowest tier with group sessions. */
export const lowestLiveTier: Tier = "premium";

/** 1 for basic, 2 for premium, 3 for vip. */
export function tierRank(tier: Tier): number {
  return tiers.indexOf(tier) + 1;
}

/** Whether a student with `tier` (null: none) has access to what needs `requiredTier`. */
export function tierOpens(tier: Tier | null, requiredTier: Tier): boolean {
  return tier !== null && tierRank(tier) >= tierRank(requiredTier);
}

/** The tier of the plan that a URL names. Null without a known tier or a numeric price. */
export function tierInQuery({ tier, price }: { tier?: unknown; price?: unknown }): Tier | null {
  const named = tiers.find((known) => known === tier);
  return named && price && Number.isFinite(Number(price)) ? named : null;
}
