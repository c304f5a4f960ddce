import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { currentUserQuery } from "#app/identity/current-user.ts";
import { savePlan } from "#app/plans/chosen-plan.ts";
import { type PlanOnSale, plansQuery, useBuiltInPlans } from "#app/plans/plans.ts";
import { href } from "#contract/addresses.ts";
import type { CurrentUser } from "#contract/identity/identity.ts";
import type { Tier } from "#contract/tiers.ts";
import { toast } from "#ui/toast/toast.ts";

export type NextStep =
  | { step: "sign-up"; address: string }
  | { step: "not-for-sale" }
  | { step: "checkout"; address: string; priceId: string };

/** The target of a plan's button: visitors sign up first, and a plan without a price id cannot be bought. @internal */
export function nextStep(plan: PlanOnSale, user: CurrentUser | null, code: string | null = null): NextStep {
  if (!user) return { step: "sign-up", address: href.signup({ ...plan, code }) };
  if (plan.priceId === null) return { step: "not-for-sale" };
  return { step: "checkout", address: href.checkout({ ...plan, priceId: plan.priceId, code }), priceId: plan.priceId };
}

/**
 * The action of the plans' buttons. Waits for the plans and the user, so that an early click leads to the same page as
 * a late one. `pendingTier` is the plan that is waiting.
 */
export function useChoosePlan(): {
  choosePlan: (tier: Tier) => Promise<void>;
  pendingTier: Tier | null;
  /** Why the last click led nowhere. Shown beside its button. */
  failure: { tier: Tier; reason: string } | null;
} {
  const queryClient = useQueryClient();
  const builtIn = useBuiltInPlans();
  const [pendingTier, setPendingTier] = useState<Tier | null>(null);
  const [failure, setFailure] = useState<{ tier: Tier; reason: string } | null>(null);

  async function choosePlan(tier: Tier): Promise<void> {
    setPendingTier(tier);
    setFailure(null);
    try {
      const [plans, user] = await Promise.all([
        queryClient.ensureQueryData(plansQuery).catch(() => builtIn),
        queryClient.fetchQuery(currentUserQuery),
      ]);
      const plan = plans.find((candidate) => candidate.tier === tier);
      if (!plan) throw new Error(`No plan is on sale for ${tier}`);
      const code = new URLSearchParams(window.location.search).get("code");
      follow(plan, nextStep(plan, user, code), code);
    } catch {
      fail(tier, "Error", "Failed to start checkout. Please try again.");
    } finally {
      setPendingTier(null);
    }
  }

  function follow(plan: PlanOnSale, next: NextStep, code: string | null): void {
    if (next.step === "not-for-sale") {
      fail(plan.tier, "Payment Setup Required", "Payment processing is being configured. Please try again shortly.");
      return;
    }
    if (next.step === "checkout") {
      savePlan({ tier: plan.tier, priceId: next.priceId, price: String(plan.price), name: plan.name, code });
    }
    window.location.assign(next.address);
  }

  function fail(tier: Tier, title: string, reason: string): void {
    setFailure({ tier, reason });
    toast({ title, description: reason, destructive: true });
  }

  return { choosePlan, pendingTier, failure };
}
