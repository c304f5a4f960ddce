import { usePlans } from "#app/plans/plans.ts";
import { href } from "#contract/addresses.ts";
import { formatPrice } from "#contract/money.ts";
import type { SubscriptionOverview } from "#contract/purchases/subscriptions.ts";
import { planName } from "#ui/academy.ts";
import { Card } from "#ui/card.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";

/** For students without a renewal: what happens at the end of access, and how to buy another year. */
export function NothingRenews({ overview: { access, accountStatus } }: { overview: SubscriptionOverview }) {
  const year = usePlans().find(({ tier }) => tier === "premium");
  const mayBuyYear = access.tier === "premium" && access.until !== null && accountStatus === "active";
  return (
    <Card tone="raised">
      <section aria-labelledby="renewal-title" className="grid justify-items-start gap-4">
        <h2 id="renewal-title" className="font-bold text-heading">
          Renewal
        </h2>
        <p>{endWords(access)}</p>
        {mayBuyYear && year && (
          <>
            <p className="text-ink-soft">
              Another 365 days cost {formatPrice(year.price)}. We add them to the end, so you don’t lose any days.
            </p>
            <a
              href={year.priceId ? href.checkout({ ...year, priceId: year.priceId }) : href.pricing("premium")}
              className={buttonStyle({ variant: "tag" })}
            >
              Buy another year
            </a>
          </>
        )}
        {accountStatus === "active" && access.tier !== null && access.tier !== "vip" && !mayBuyYear && (
          <a href={href.pricing()} className={buttonStyle({ variant: "outline" })}>
            See the plans
          </a>
        )}
      </section>
    </Card>
  );
}

function endWords({ tier, until }: SubscriptionOverview["access"]): string {
  if (tier === null) return "Nothing renews, and you won't be charged.";
  if (until === null) return `${planName(tier)} never ends. It doesn't renew, and you won't be charged again.`;
  return `${planName(tier)} doesn't renew. It ends on that day, and you won't be charged.`;
}
