import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { useClaims } from "#app/plans/claims.ts";
import { plansQuery, usePlans } from "#app/plans/plans.ts";
import type { OfferOnPages } from "#contract/offer.ts";
import type { Tier } from "#contract/tiers.ts";
import { SectionHeading } from "../section-heading.tsx";
import { useChoosePlan } from "./choose-plan.ts";
import { formatCountdown, useOffer } from "./countdown.ts";
import { offerQuery, usePublishedOffer } from "./offer.ts";
import { PlanCard } from "./plan-card.tsx";

interface PricingProps {
  heading: { title: string; lead: string };
  markedTier: Tier | null;
  /** Rendered below the plans. */
  children?: ReactNode;
}

export function Pricing({ heading, markedTier, children }: PricingProps) {
  const plans = usePlans();
  const offer = usePublishedOffer();
  const current = useOffer(offer);
  const mostPopular = useClaims()?.mostPopular ?? null;
  useNewPricesAtEnd(offer?.enabled === true && current === null);
  const { choosePlan, pendingTier, failure } = useChoosePlan();
  return (
    <section
      id="pricing"
      tabIndex={-1}
      aria-labelledby="pricing-title"
      className="block-space when-near bg-rail text-rail-ink"
    >
      <div className="page-grid items-end gap-y-10">
        <SectionHeading id="pricing-title" heading={heading} className="col-span-full lg:col-span-8" />
        {current && offer && <Countdown offer={offer} left={current.left} />}
      </div>
      <div aria-hidden="true" className="ornament mt-12 h-3 bg-rail-soft/40 sm:mt-16" />
      <ul className="page-grid gap-y-4">
        {plans.map((plan) => (
          <li key={plan.tier} className="col-span-full flex lg:col-span-4">
            <PlanCard
              plan={plan}
              plans={plans}
              offer={current && offer}
              mostPopular={mostPopular}
              isMarked={plan.tier === markedTier}
              isPending={plan.tier === pendingTier}
              failure={failure?.tier === plan.tier ? failure.reason : null}
              onChoose={() => choosePlan(plan.tier)}
            />
          </li>
        ))}
      </ul>
      {children}
    </section>
  );
}

/** Refetches plans and offer when the offer ends, because the prices rise. */
function useNewPricesAtEnd(isOver: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isOver) return;
    for (const queryKey of [plansQuery.queryKey, offerQuery.queryKey]) void queryClient.invalidateQueries({ queryKey });
  }, [isOver, queryClient]);
}

function Countdown({ offer, left }: { offer: OfferOnPages; left: number | null }) {
  return (
    <div className="col-span-full grid gap-1 lg:col-span-4 lg:justify-items-end lg:text-right">
      {offer.headline && <p className="font-bold text-heading text-tag">{offer.headline}</p>}
      {left !== null && (
        <>
          <p className="text-rail-soft">{offer.countdownLabel}</p>
          <p role="timer" aria-label="Time left" className="printed text-title">
            {formatCountdown(left)}
          </p>
        </>
      )}
    </div>
  );
}
