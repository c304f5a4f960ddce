import { useContext } from "react";
import { billingNotes } from "#app/plans/billing-notes.ts";
import { useClaims } from "#app/plans/claims.ts";
import { type OnPage, OnPageContext } from "#app/plans/on-page.ts";
import { PlanFeatures } from "#app/plans/plan-features.tsx";
import { type PlanOnSale, usePlans } from "#app/plans/plans.ts";
import { href } from "#contract/addresses.ts";
import { formatPrice } from "#contract/money.ts";
import { Badge } from "#ui/badge.tsx";
import { PriceTag } from "#ui/brand/price-tag.tsx";
import { Button, buttonStyle } from "#ui/controls/button.tsx";
import { toast } from "#ui/toast/toast.ts";

/** The plans, for an account that has none. */
export default function PaymentRequired() {
  const plans = usePlans();
  return (
    <div className="grid gap-10">
      <div className="flex flex-wrap items-end justify-between gap-6">
        <div>
          <h1 className="wide text-display">Payment Required</h1>
          <p className="mt-4 max-w-[48ch] text-ink-soft text-lead">
            Your account is ready. Choose a plan, and the course opens as soon as the payment went through.
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          <a
            href={recommendedCheckout(plans, useContext(OnPageContext))}
            className={buttonStyle({ variant: "tag", size: "large" })}
          >
            Get Started Now
          </a>
          <a href={href.home()} className={buttonStyle({ variant: "outline", size: "large" })}>
            Back to Home
          </a>
        </div>
      </div>
      <ul className="grid gap-6 lg:grid-cols-3">
        {plans.map((plan) => (
          <li key={plan.tier} className="flex">
            <PlanToBuy plan={plan} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Straight to the checkout of the annual plan, as it is on sale or, while that is not known, as it came with the page. */
function recommendedCheckout(plans: readonly PlanOnSale[], onPage: OnPage | undefined): string {
  const onSale = plans.find(({ tier }) => tier === "premium");
  const priceId = onSale?.priceId ?? onPage?.plans.find(({ tier }) => tier === "premium")?.id;
  return onSale && priceId ? href.checkout({ ...onSale, priceId }) : href.pricing();
}

function PlanToBuy({ plan }: { plan: PlanOnSale }) {
  const { priceId } = plan;
  const mostPopular = useClaims()?.mostPopular;
  const highlight = plan.popular ? { className: "on-tag" } : {};
  return (
    <PriceTag loud={plan.popular} className="w-full">
      <div className="mb-3 flex max-lg:empty:hidden lg:min-h-8">
        {plan.popular && mostPopular && (
          <Badge tone="ink" className="on-tag">
            {mostPopular}
          </Badge>
        )}
      </div>
      <h2 className="wide text-heading">{plan.name}</h2>
      <p className="narrow mt-3 text-price">{formatPrice(plan.price)}</p>
      <p className="printed mt-2">{billingNotes[plan.tier]}</p>
      <p className="mt-4 leading-snug">{plan.description}</p>
      <PlanFeatures features={plan.features} className="mt-4 mb-6 grid grow text-sm" />
      {priceId ? (
        <a
          href={href.checkout({ ...plan, priceId })}
          className={buttonStyle({ size: "large", wide: true, ...highlight })}
        >
          {plan.buttonLabel}
        </a>
      ) : (
        <Button size="large" wide onClick={sayNotForSale} {...highlight}>
          {plan.buttonLabel}
        </Button>
      )}
    </PriceTag>
  );
}

function sayNotForSale(): void {
  toast({
    title: "Payment Setup Required",
    description: "Payment processing is being configured. Please try again shortly.",
    destructive: true,
  });
}
