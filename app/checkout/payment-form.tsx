import { CardFields, CardSubmit, NameFields } from "#app/card/card-fields.tsx";
import { type CardForm, cardFields } from "#app/card/card-form.ts";
import { useCardForm } from "#app/card/use-card-form.ts";
import type { PaymentFailure } from "#app/card/use-payment.ts";
import { confirmationNote } from "#app/identity/confirmation-note.ts";
import { refundWindow } from "#contract/academy.ts";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { formatDollars } from "#contract/money.ts";
import { type PaymentConfig, renewalConsent } from "#contract/purchases/purchases.ts";
import type { Quote } from "#contract/purchases/quotes.ts";
import { Checkbox, Field, Input } from "#ui/controls/field.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";

interface PaymentFormProps {
  user: CurrentUser;
  /** Today's total. */
  quote: Quote;
  isProcessing: boolean;
  failure: PaymentFailure | null;
  /** Called with the quote on the button, and with the ticked consent when the plan renews. */
  onPay: (config: PaymentConfig, form: CardForm, quote: Quote) => Promise<void>;
}

/** The card form of the checkout. */
export function PaymentForm({ user, quote, isProcessing, failure, onPay }: PaymentFormProps) {
  const { total, renewal, discountedRenewals } = quote;
  const note = confirmationNote(user);
  const words = renewal === null ? null : renewalConsent.textFor(total, renewal, discountedRenewals);
  const card = useCardForm({
    fields: cardFields,
    initial: { firstName: user.firstName ?? "", lastName: user.lastName ?? "", email: user.email },
    isProcessing,
    wantsConsent: words !== null,
    onSubmit: (config, form) => onPay(config, form, quote),
  });
  return (
    <form {...card.frame} className="grid gap-8">
      <fieldset className="grid gap-5">
        <legend className="printed mb-4 text-ink-soft">Your details</legend>
        <NameFields card={card} />
        <div className="grid gap-1.5">
          <Field {...card.labelled("email")} hint="Your receipt goes here.">
            <Input {...card.control("email")} type="email" autoComplete="email" maxLength={254} />
          </Field>
          {note && <p className="text-fine text-ink-soft">{note}</p>}
        </div>
      </fieldset>
      <CardFields card={card} />
      {/* A new checkbox for each text, because a tick only agrees to the text that was ticked. */}
      {words !== null && <Checkbox key={words} {...card.consent} label={words} />}
      <CardSubmit
        card={card}
        isProcessing={isProcessing}
        failure={failure}
        label={`Pay ${formatDollars(total)}`}
        note={refundNote(quote)}
      />
    </form>
  );
}

function refundNote({ refundDays, refundableUntil, isRefundCertain }: Quote): string | null {
  if (refundDays !== null) {
    const within = refundWindow({ refundDays });
    return isRefundCertain
      ? `You can get a full refund within ${within}.`
      : `First purchases can be refunded within ${within}.`;
  }
  if (refundableUntil === null || !isRefundCertain) return null;
  return `You can get a full refund, including your earlier payment, until ${formatTimestamp(refundableUntil)}.`;
}
