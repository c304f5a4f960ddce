import { cx } from "class-variance-authority";
import { type FormEvent, useContext } from "react";
import { billingNotes } from "#app/plans/billing-notes.ts";
import { OnPageContext } from "#app/plans/on-page.ts";
import { PlanFeatures } from "#app/plans/plan-features.tsx";
import type { PlanOnSale } from "#app/plans/plans.ts";
import { href } from "#contract/addresses.ts";
import { formatPrice } from "#contract/money.ts";
import type { OfferOnPages } from "#contract/offer.ts";
import { Badge } from "#ui/badge.tsx";
import { PriceTag } from "#ui/brand/price-tag.tsx";
import { Button } from "#ui/controls/button.tsx";

const units = { monthly: "every 30 days", annual: "a year", lifetime: "once" } as const;

interface PlanCardProps {
  plan: PlanOnSale;
  /** All plans on sale, lowest tier first. */
  plans: readonly PlanOnSale[];
  /** Null hides the original price and the badges. */
  offer: OfferOnPages | null;
  /** The label of the most popular plan. Null if none is labelled. */
  mostPopular: string | null;
  /** Whether the URL names this plan. */
  isMarked: boolean;
  isPending: boolean;
  /** Why the last click led nowhere. */
  failure: string | null;
  onChoose: () => void;
}

/** A plan, drawn as a swing tag on a string. */
export function PlanCard({ plan, plans, offer, mostPopular, isMarked, isPending, failure, onChoose }: PlanCardProps) {
  const idOnPage = useContext(OnPageContext)?.plans.find(({ tier }) => tier === plan.tier)?.id;
  const priceId = plan.priceId ?? idOnPage;
  const choose = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) onChoose();
  };
  const badge = offer?.badges[plan.tier];
  return (
    <article aria-labelledby={`plan-${plan.tier}`} className={cx("hanging flex w-full", plan.popular && "popular")}>
      <PriceTag loud={plan.popular} marked={isMarked} className="w-full">
        <div className="flex flex-wrap items-center gap-2 lg:min-h-8">
          {plan.popular && mostPopular && (
            <Badge tone="ink" className="on-tag">
              {mostPopular}
            </Badge>
          )}
          {badge && <Badge tone="stamp">{badge}</Badge>}
          {isMarked && <Badge tone="ink">Your choice</Badge>}
        </div>
        <h3 id={`plan-${plan.tier}`} className="wide mt-4 text-heading">
          {plan.name}
        </h3>
        <p className="mt-3 flex items-start gap-3">
          <span className="narrow text-price">{formatPrice(plan.price)}</span>
          <span className="grid gap-1 pt-2">
            {offer && plan.originalPrice !== null && (
              <s className="narrow text-heading opacity-75">
                <span className="sr-only">Original price </span>
                {formatPrice(plan.originalPrice)}
              </s>
            )}
            <span className="font-semibold leading-none">{units[plan.billing]}</span>
          </span>
        </p>
        <p className="printed mt-2">{billingNotes[plan.tier]}</p>
        <p className="mt-5 border-current/25 border-t pt-5 leading-snug">{plan.description}</p>
        <PlanFeatures plan={plan} plans={plans} className="mt-4 mb-8 grid grow" />
        {/* A form, so that the button also works without scripts. */}
        <form action={href.signup()} onSubmit={choose}>
          <input type="hidden" name="tier" value={plan.tier} />
          {priceId && <input type="hidden" name="priceId" value={priceId} />}
          <input type="hidden" name="price" value={plan.price} />
          <Button
            type="submit"
            size="large"
            wide
            pending={isPending}
            aria-describedby={failure ? `plan-${plan.tier}-failure` : undefined}
            className={plan.popular ? "on-tag" : undefined}
          >
            {plan.buttonLabel}
          </Button>
        </form>
        {failure && (
          <p id={`plan-${plan.tier}-failure`} className="mt-3 font-semibold text-danger">
            {failure}
          </p>
        )}
      </PriceTag>
    </article>
  );
}
