import type { ReactNode } from "react";
import type { PlanOnSale } from "#app/plans/plans.ts";
import { href } from "#contract/addresses.ts";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { formatPrice } from "#contract/money.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";

const tag = buttonStyle({ variant: "tag", size: "large" });
const outline = buttonStyle({ variant: "outline", size: "large" });

/** Replaces the card form when the link's price differs from the plan's. The server would refuse it. */
export function OutdatedPrice({ plan, code }: { plan: PlanOnSale; code: string | null }) {
  const today =
    plan.priceId === null ? href.pricing(plan.tier) : href.checkout({ ...plan, priceId: plan.priceId, code });
  return (
    <StateCard
      title="This price is out of date"
      actions={
        <>
          <a href={today} className={tag}>
            Continue for {formatPrice(plan.price)}
          </a>
          <a href={href.pricing(plan.tier)} className={outline}>
            Back to pricing
          </a>
        </>
      }
    >
      <p>
        This link has an old price. {plan.name} now costs {formatPrice(plan.price)}. You haven't been charged.
      </p>
    </StateCard>
  );
}

/** Replaces the checkout of a plan that the student has no need to buy. */
export function AlreadyOwned({ user, children }: { user: CurrentUser; children: ReactNode }) {
  return (
    <StateCard
      level={1}
      title="Nothing to pay"
      actions={
        <>
          <a href={href.dashboard()} className={tag}>
            Go to your dashboard
          </a>
          <a href={href.subscription()} className={outline}>
            See your membership
          </a>
          {user.purchasedTier !== "vip" && (
            <a href={href.pricing()} className={outline}>
              See the plans
            </a>
          )}
        </>
      }
    >
      <p>{children}</p>
    </StateCard>
  );
}
