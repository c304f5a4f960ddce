import { endingSentence, QuoteLines, useUpgradeQuote } from "#app/plans/quote.tsx";
import { formatDollars } from "#contract/money.ts";
import type { Tier } from "#contract/tiers.ts";

/** The lines of the student's total for a higher plan. Renders nothing unless something is credited. */
export default function CreditedTotal({ tier }: { tier: Tier }) {
  const quote = useUpgradeQuote(tier);
  if (!quote?.lines.some(({ kind }) => kind !== "plan")) return null;
  const ending = endingSentence(quote.replaces);
  return (
    <div className="mt-3 grid gap-2 text-left text-sm">
      <QuoteLines lines={quote.lines} />
      <p className="border-ink border-t pt-2">
        <strong className="flex flex-wrap justify-between gap-x-4">
          Today <span className="printed">{formatDollars(quote.total)}</span>
        </strong>
        {ending}
      </p>
    </div>
  );
}
