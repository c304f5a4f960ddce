import { queryOptions, useQuery } from "@tanstack/react-query";
import { cx } from "class-variance-authority";
import { api } from "#app/api/api.ts";
import { dollarsOf, formatCents } from "#contract/money.ts";
import { createQuote, type Quote, type QuoteLine } from "#contract/purchases/quotes.ts";
import type { Tier } from "#contract/tiers.ts";
import { usePlans } from "./plans.ts";

/** Pages that are opened later fetch the total anew, so that all of them show the same. */
const freshMilliseconds = 60_000;

export const quoteKey = ["quote"] as const;

/** The student's current total for a plan, with its lines. */
export function quoteQuery(tier: Tier, priceId: string | null, code: string | null = null) {
  return queryOptions({
    queryKey: [...quoteKey, tier, priceId, code],
    queryFn: ({ signal }): Promise<Quote> =>
      api(createQuote, {
        body: { tier, ...(priceId === null ? {} : { priceId }), ...(code === null ? {} : { code }) },
        signal,
      }),
    staleTime: freshMilliseconds,
  });
}

/** The quote of an upgrade. Null while it loads, or when the plan cannot be bought now. */
export function useUpgradeQuote(tier: Tier): Quote | null {
  const plan = usePlans().find((one) => one.tier === tier);
  const { data } = useQuery({
    ...quoteQuery(tier, plan?.priceId ?? null),
    enabled: plan != null && plan.priceId !== null,
  });
  return data ?? null;
}

/** The plan's list price in a quote, in US dollars. */
export function listPriceOf({ lines, total }: Quote): number {
  const plan = lines.find(({ kind }) => kind === "plan");
  return plan ? dollarsOf(plan.cents) : total;
}

/** The lines of a quote. Without deductions, the plan's price is the only one. */
export function QuoteLines({ lines }: { lines: readonly QuoteLine[] }) {
  return (
    <dl className="grid gap-2 text-sm">
      {lines.map(({ kind, label, cents }) => (
        <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4">
          <dt className={cx("grow basis-32", kind === "plan" ? "font-semibold" : "text-ink-soft")}>{label}</dt>
          <dd className="printed ml-auto shrink-0">{signedDollars(cents)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** "Monthly Access ends with this purchase and won't renew." Null when nothing ends. */
export function endingSentence(replaces: readonly string[]): string | null {
  if (replaces.length === 0) return null;
  const ends = replaces.length === 1 ? "ends" : "end";
  return `${replaces.join(" and ")} ${ends} with this purchase and won't renew.`;
}

function signedDollars(cents: number): string {
  const dollars = formatCents(Math.abs(cents));
  return cents < 0 ? `−${dollars}` : dollars;
}
