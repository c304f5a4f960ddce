import { endingSentence, useUpgradeQuote } from "#app/plans/quote.tsx";
import { formatCents, formatDollars } from "#contract/money.ts";
import type { Tier } from "#contract/tiers.ts";

/** What a higher plan costs the student today, where something is credited. */
export default function CreditedTotal({ tier }: { tier: Tier }) {
  const quote = useUpgradeQuote(tier);
  const creditCents = quote ? -sumOf(quote.lines.filter(({ kind }) => kind !== "plan").map(({ cents }) => cents)) : 0;
  if (!quote || creditCents <= 0) return null;
  return (
    <span className="mt-1 block text-sm">
      Today <strong>{formatDollars(quote.total)}</strong>: {formatCents(creditCents)} of what you have paid is taken off
      the price. {endingSentence(quote.replaces)}
    </span>
  );
}

function sumOf(cents: readonly number[]): number {
  return cents.reduce((sum, one) => sum + one, 0);
}
