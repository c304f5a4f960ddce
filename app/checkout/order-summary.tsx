import type { ReactNode } from "react";
import { fullNameOf } from "#app/identity/full-name.ts";
import { billingNotes } from "#app/plans/billing-notes.ts";
import { ownedSentence } from "#app/plans/owned.ts";
import { PlanFeatures } from "#app/plans/plan-features.tsx";
import type { PlanOnSale } from "#app/plans/plans.ts";
import { endingSentence, laterPriceIn, QuoteLines } from "#app/plans/quote.tsx";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { formatDollars, formatPrice } from "#contract/money.ts";
import { todayAndLater } from "#contract/purchases/purchases.ts";
import type { Quote } from "#contract/purchases/quotes.ts";
import { tierLabels } from "#contract/tiers.ts";
import { Barcode } from "#ui/brand/barcode.tsx";
import { Skeleton } from "#ui/feedback/skeleton.tsx";

interface OrderSummaryProps {
  plan: PlanOnSale;
  user: CurrentUser;
  /** Null while unknown. */
  quote: Quote | null;
  /** Whether the quote is known or loading. */
  isQuoted: boolean;
  /** The coupon field. Null where nothing can be paid. */
  coupon: ReactNode;
}

/** Shows what is being bought. The price is today's total, whatever the URL says. */
export function OrderSummary({ plan, user, quote, isQuoted, coupon }: OrderSummaryProps) {
  const owned = ownedSentence(plan.tier, user.purchasedTier);
  const prices = quote && laterPriceIn(quote);
  const ending = quote && endingSentence(quote.replaces);
  return (
    <section aria-labelledby="order-title" className="rounded-md border-2 border-edge bg-surface shadow-card">
      <div className="flex items-center justify-between gap-4 border-edge border-b-2 px-5 py-3">
        <h2 id="order-title" className="font-bold">
          Your order
        </h2>
        <Barcode value={plan.name} className="h-6 w-24" />
      </div>
      <dl className="grid grid-cols-2 border-edge border-b-2">
        <LabelField name="Student">{fullNameOf(user)}</LabelField>
        <LabelField name="Plan" className="border-edge border-l-2">
          {plan.name === tierLabels[plan.tier] ? plan.name : `${plan.name} (${tierLabels[plan.tier]})`}
        </LabelField>
      </dl>
      <div className="bg-tag px-5 py-5 text-tag-ink">
        <p className="narrow text-display leading-none">{formatPrice(quote?.total ?? plan.price)}</p>
        <p className="mt-2 font-semibold">
          {prices ? `${todayAndLater(prices.today, prices.later)} until you cancel` : billingNotes[plan.tier]}
        </p>
      </div>
      <PlanFeatures features={plan.features} className="hidden px-5 py-5 text-sm sm:grid" />
      {coupon && <div className="border-line border-t border-dashed px-5 py-4">{coupon}</div>}
      {isQuoted && (
        <div className="grid gap-4 border-line border-t border-dashed px-5 py-4" aria-live="polite">
          {quote && quote.lines.length > 1 && <QuoteLines lines={quote.lines} />}
          <div className="flex items-baseline justify-between gap-4">
            <p className="font-bold">Total today</p>
            {quote ? (
              <p className="printed text-base">{formatDollars(quote.total)}</p>
            ) : (
              <Skeleton className="h-6 w-20 self-center" />
            )}
          </div>
        </div>
      )}
      {ending && <p className="rounded-b-md bg-kraft-soft px-5 py-4 text-sm">{ending}</p>}
      {owned && <p className="rounded-b-md bg-kraft-soft px-5 py-4 text-sm">{owned}</p>}
    </section>
  );
}

function LabelField({ name, className = "", children }: { name: string; className?: string; children: string }) {
  return (
    <div className={`px-5 py-3 ${className}`}>
      <dt className="printed text-ink-soft">{name}</dt>
      <dd className="narrow break-words text-xl leading-tight">{children}</dd>
    </div>
  );
}
