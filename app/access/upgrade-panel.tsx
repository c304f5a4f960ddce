import { useCurrentUser } from "#app/identity/current-user.ts";
import { endingSentence, useUpgradeQuote } from "#app/plans/quote.tsx";
import { href } from "#contract/addresses.ts";
import { formatDollars } from "#contract/money.ts";
import { type Tier, tierLabels, tierRank } from "#contract/tiers.ts";
import { buttonStyle } from "#ui/controls/button.tsx";

/** What opens a locked part of the course, what it costs a student who upgrades, and the way there. */
export function UpgradePanel({ tier, what }: { tier: Tier; what: string }) {
  const owned = useCurrentUser().user?.purchasedTier ?? null;
  const quote = useUpgradeQuote(tier, owned !== null && tierRank(owned) < tierRank(tier));
  const creditCents = quote ? sumOf(quote.lines.filter(({ kind }) => kind !== "plan").map(({ cents }) => -cents)) : 0;
  return (
    <div className="flex flex-wrap items-center justify-between gap-4 rounded-sm bg-kraft-soft p-5">
      <p className="max-w-[44ch]">
        {what} opens with <strong>{tierLabels[tier]}</strong>.
        {quote && creditCents > 0 && (
          <span className="mt-1 block">
            Today <strong>{formatDollars(quote.total)}</strong>: {formatDollars(creditCents / 100)} of what you have
            paid is taken off the price. {endingSentence(quote.replaces)}
          </span>
        )}
      </p>
      <a href={href.pricing(tier)} className={buttonStyle({ variant: "tag" })}>
        See {tierLabels[tier]}
      </a>
    </div>
  );
}

function sumOf(cents: readonly number[]): number {
  return cents.reduce((sum, one) => sum + one, 0);
}
