import { type PlanOnSale, usePlans } from "#app/plans/plans.ts";
import { endingSentence, QuoteLines, useUpgradeQuote } from "#app/plans/quote.tsx";
import { href } from "#contract/addresses.ts";
import { formatDollars } from "#contract/money.ts";
import { type Tier, tierRank } from "#contract/tiers.ts";
import { Card } from "#ui/card.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";

/** The plans above the student's own, each with today's total and its lines. */
export function Upgrades({ owned }: { owned: Tier }) {
  const higher = usePlans().filter(({ tier }) => tierRank(tier) > tierRank(owned));
  if (higher.length === 0) return null;
  return (
    <Card>
      <section aria-labelledby="upgrades-title" className="grid gap-6">
        <h2 id="upgrades-title" className="font-bold text-heading">
          Upgrade
        </h2>
        {higher.map((plan) => (
          <Upgrade key={plan.tier} plan={plan} />
        ))}
      </section>
    </Card>
  );
}

function Upgrade({ plan }: { plan: PlanOnSale }) {
  const quote = useUpgradeQuote(plan.tier);
  const { priceId } = plan;
  const ending = quote && endingSentence(quote.replaces);
  return (
    <div className="grid gap-4 border-line border-t pt-5">
      <QuoteLines lines={quote?.lines ?? [{ kind: "plan", label: plan.name, cents: Math.round(plan.price * 100) }]} />
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p aria-live="polite">
          {quote && (
            <>
              <strong className="block">Today {formatDollars(quote.total)}</strong>
              {ending && <span className="text-ink-soft text-sm">{ending}</span>}
            </>
          )}
        </p>
        <a
          href={priceId === null ? href.pricing(plan.tier) : href.checkout({ ...plan, priceId })}
          className={buttonStyle({ variant: "tag" })}
        >
          Upgrade to {plan.name}
        </a>
      </div>
    </div>
  );
}
