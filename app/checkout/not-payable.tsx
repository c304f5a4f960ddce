import { PageLink } from "#app/navigation/navigation.tsx";
import { ownedSentence } from "#app/plans/owned.ts";
import type { PlanOnSale } from "#app/plans/plans.ts";
import { formatPrice } from "#app/plans/price.ts";
import { href } from "#contract/addresses.ts";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";

const tag = buttonStyle({ variant: "tag", size: "large" });
const outline = buttonStyle({ variant: "outline", size: "large" });

/** In the place of the card form when the link carries another price than the plan has: the server would refuse it. */
export function OutdatedPrice({ plan }: { plan: PlanOnSale }) {
  const today = plan.priceId === null ? href.pricing(plan.tier) : href.checkout({ ...plan, priceId: plan.priceId });
  return (
    <StateCard
      title="This price is out of date"
      actions={
        <>
          <PageLink to={today} className={tag}>
            Continue for {formatPrice(plan.price)}
          </PageLink>
          <PageLink to={href.pricing(plan.tier)} className={outline}>
            Back to pricing
          </PageLink>
        </>
      }
    >
      <p>
        The link that led you here carries another price. {plan.name} costs {formatPrice(plan.price)} now. Nothing was
        charged.
      </p>
    </StateCard>
  );
}

/** In the place of the checkout of a plan that the student need not pay for. */
export function AlreadyOwned({ plan, user }: { plan: PlanOnSale; user: CurrentUser }) {
  return (
    <StateCard
      level={1}
      title="Nothing to pay"
      actions={
        <>
          <PageLink to={href.dashboard()} className={tag}>
            Go to your dashboard
          </PageLink>
          <PageLink to={href.subscription()} className={outline}>
            See your membership
          </PageLink>
          {user.purchasedTier !== "vip" && (
            <PageLink to={href.pricing()} className={outline}>
              See the plans
            </PageLink>
          )}
        </>
      }
    >
      <p>{ownedSentence(plan.tier, user.purchasedTier)}</p>
    </StateCard>
  );
}
