import { cx } from "class-variance-authority";
import { type ReactNode, useId, useState } from "react";
import { fullNameOf } from "#app/identity/current-user.ts";
import { billingNotes } from "#app/plans/billing-notes.ts";
import { ownedSentence } from "#app/plans/owned.ts";
import type { PlanOnSale } from "#app/plans/plans.ts";
import { endingSentence, QuoteLines } from "#app/plans/quote.tsx";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { formatDollars, formatPrice } from "#contract/money.ts";
import type { Quote } from "#contract/purchases/quotes.ts";
import { Barcode } from "#ui/brand/bars.tsx";
import { Skeleton } from "#ui/feedback/skeleton.tsx";
import { Icon } from "#ui/icon.tsx";

interface OrderSummaryProps {
  plan: PlanOnSale;
  user: CurrentUser;
  /** Null while unknown. */
  quote: Quote | null;
  /** Whether the quote is known or loading. */
  isQuoted: boolean;
  /** The coupon field. Null where nothing can be paid. */
  coupon: ReactNode;
  /** Whether it is unfolded where the form is below it. Beside the form, it always is. */
  isOpen: boolean;
}

/** Shows what is being bought. The price is today's total, whatever the URL says. */
export function OrderSummary(props: OrderSummaryProps) {
  const { plan, user, quote } = props;
  const ending = quote && endingSentence(quote.replaces);
  const owned = ownedSentence(plan.tier, user.purchasedTier);
  const [isOpen, setIsOpen] = useState(props.isOpen);
  const id = useId();
  return (
    <section aria-label="Your order" className="rounded-md border-2 border-edge bg-surface shadow-card">
      <h2 className="font-bold">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-h-12 w-full items-center justify-between gap-4 px-5 py-2.5 text-left lg:hidden"
        >
          {plan.name}
          <span className="flex items-center gap-3">
            {formatPrice(quote?.total ?? plan.price)}
            <Icon name={isOpen ? "up" : "down"} className="w-3" />
          </span>
        </button>
        <span className="flex items-center justify-between gap-4 px-5 py-3 max-lg:hidden">
          Your order
          <Barcode value={plan.name} className="h-6 w-24" />
        </span>
      </h2>
      <div id={id} className={cx("border-edge border-t-2", !isOpen && "max-lg:hidden")}>
        <OrderDetails {...props} />
      </div>
      {ending && <p className="rounded-b-md bg-kraft-soft px-5 py-4 text-sm">{ending}</p>}
      {owned && <p className="rounded-b-md bg-kraft-soft px-5 py-4 text-sm">{owned}</p>}
    </section>
  );
}

function OrderDetails({ plan, user, quote, isQuoted, coupon }: OrderSummaryProps) {
  return (
    <>
      <dl className="grid grid-cols-2 border-edge border-b-2">
        <LabelField name="Student">{fullNameOf(user)}</LabelField>
        <LabelField name="Plan" className="border-edge border-l-2">
          {plan.name}
        </LabelField>
      </dl>
      <div className="bg-tag px-5 py-5 text-tag-ink">
        <p className="narrow text-display leading-none">{formatPrice(quote?.total ?? plan.price)}</p>
        {/* The buyer of a plan that renews agrees to its prices in the form. */}
        {plan.billing !== "monthly" && <p className="mt-2 font-semibold">{billingNotes[plan.tier]}</p>}
      </div>
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
    </>
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
