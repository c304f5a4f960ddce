import { CardFields, CardSubmit, NameFields } from "#app/card/card-fields.tsx";
import { type CardForm, cardFields } from "#app/card/card-form.ts";
import { useCardForm } from "#app/card/use-card-form.ts";
import { billingNotes } from "#app/plans/billing-notes.ts";
import type { PlanOnSale } from "#app/plans/plans.ts";
import { laterPriceIn } from "#app/plans/quote.tsx";
import { refundWindow } from "#contract/academy.ts";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { formatDollars } from "#contract/money.ts";
import { type PaymentConfig, renewalConsent, todayAndLater } from "#contract/purchases/purchases.ts";
import type { Quote } from "#contract/purchases/quotes.ts";
import { academy } from "#ui/academy.ts";
import { Checkbox, Field, Input } from "#ui/controls/field.tsx";

interface PaymentFormProps {
  user: CurrentUser;
  plan: PlanOnSale;
  /** Today's total. */
  quote: Quote;
  isProcessing: boolean;
  /** Why the last attempt failed. */
  failure: string | null;
  /** Called with the ticked consent when the plan renews. */
  onPay: (config: PaymentConfig, form: CardForm) => Promise<void>;
}

/** The card form of the checkout. */
export function PaymentForm({ user, plan, quote, isProcessing, failure, onPay }: PaymentFormProps) {
  const { total, renewal } = quote;
  const isRenewing = plan.tier === "basic";
  const words = renewalConsent.textFor(total, renewal ?? total);
  const prices = laterPriceIn(quote);
  const billing = prices
    ? `${todayAndLater(prices.today, prices.later)} until you cancel`
    : `${formatDollars(total)}, ${billingNotes[plan.tier]}`;
  const card = useCardForm({
    fields: cardFields,
    initial: { firstName: user.firstName ?? "", lastName: user.lastName ?? "", email: user.email },
    isProcessing,
    wantsConsent: isRenewing,
    onSubmit: onPay,
  });
  return (
    <form {...card.frame} className="grid gap-8">
      <fieldset className="grid gap-5">
        <legend className="printed mb-4 text-ink-soft">Who is paying</legend>
        <NameFields card={card} />
        <Field {...card.labelled("email")} hint="Your receipt goes here.">
          <Input {...card.control("email")} type="email" autoComplete="email" maxLength={254} />
        </Field>
      </fieldset>
      <CardFields card={card} />
      {/* A new checkbox for each text, because a tick only agrees to the text that was ticked. */}
      {isRenewing && <Checkbox key={words} {...card.consent} label={words} />}
      <CardSubmit
        card={card}
        isProcessing={isProcessing}
        failure={failure}
        label={`Pay ${formatDollars(total)}`}
        note={`${billing}. First purchases can be refunded within ${refundWindow(academy())}.`}
      />
    </form>
  );
}
