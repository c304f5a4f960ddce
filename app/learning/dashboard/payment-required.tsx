import { useQuery } from "@tanstack/react-query";
import { useContext } from "react";
import { Link } from "react-router";
import { invitationQuery } from "#app/access/invitation-query.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { billingNotes } from "#app/plans/billing-notes.ts";
import { useClaims } from "#app/plans/claims.ts";
import { type OnPage, OnPageContext } from "#app/plans/on-page.ts";
import { PlanFeatures } from "#app/plans/plan-features.tsx";
import { type PlanOnSale, usePlans } from "#app/plans/plans.ts";
import { href } from "#contract/addresses.ts";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { formatPrice } from "#contract/money.ts";
import { academy, planName } from "#ui/academy.ts";
import { Badge } from "#ui/badge.tsx";
import { PriceTag } from "#ui/brand/price-tag.tsx";
import { Card } from "#ui/card.tsx";
import { Button, buttonStyle } from "#ui/controls/button.tsx";
import { toast } from "#ui/toast/toast.ts";

/** The plans on sale, for an account without one. */
export default function PaymentRequired() {
  const plans = usePlans();
  const { user } = useCurrentUser();
  return (
    <div className="grid gap-10">
      {user && <Invited user={user} />}
      <div className="flex flex-wrap items-end justify-between gap-6">
        <div>
          <h1 className="wide text-display">Payment Required</h1>
          <p className="mt-4 max-w-[48ch] text-ink-soft text-lead">
            Your account is ready. Choose a plan, and your course will open as soon as your payment goes through.
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
            <PlanToBuy plan={plan} plans={plans} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/**
 * Points to an open invitation before the user pays for the same: confirming an address leads here, not to the
 * invitation.
 */
function Invited({ user }: { user: CurrentUser }) {
  const { data } = useQuery(invitationQuery(user));
  if (!data?.invitation?.tier) return null;
  return (
    <Card
      tone="kraft"
      padding="small"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-edge border-l-4"
    >
      <p>
        <strong>You’ve been invited.</strong> {academy().name} gives you {planName(data.invitation.tier)}, and you won’t
        be charged.
      </p>
      <Link to="/invitation" className={buttonStyle({ size: "small" })}>
        See the invitation
      </Link>
    </Card>
  );
}

/** The annual plan's checkout, at the server's price or, until that is known, at the price in the page. */
function recommendedCheckout(plans: readonly PlanOnSale[], onPage: OnPage | undefined): string {
  const onSale = plans.find(({ tier }) => tier === "premium");
  const priceId = onSale?.priceId ?? onPage?.plans.find(({ tier }) => tier === "premium")?.id;
  return onSale && priceId ? href.checkout({ ...onSale, priceId }) : href.pricing();
}

function PlanToBuy({ plan, plans }: { plan: PlanOnSale; plans: readonly PlanOnSale[] }) {
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
      <PlanFeatures plan={plan} plans={plans} className="mt-4 mb-6 grid grow text-sm" />
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
