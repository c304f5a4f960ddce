import { CardFields, CardSubmit, NameFields } from "#app/card/card-fields.tsx";
import { type CardForm, cardFields } from "#app/card/card-form.ts";
import { useCardForm } from "#app/card/use-card-form.ts";
import { billingNotes } from "#app/plans/billing-notes.ts";
import type { PlanOnSale } from "#app/plans/plans.ts";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { formatDollars, formatPrice } from "#contract/money.ts";
import { type PaymentConfig, renewalConsent } from "#contract/purchases/purchases.ts";
import { Checkbox, Field, Input } from "#ui/controls/field.tsx";

interface PaymentFormProps {
  user: CurrentUser;
  plan: PlanOnSale;
  /** US dollars to pay today. */
  total: number;
  isProcessing: boolean;
  /** Why the last try failed. */
  failure: string | null;
  /** For a plan that renews it was agreed to. */
  onPay: (config: PaymentConfig, form: CardForm) => Promise<void>;
}

/** The card form of the checkout. */
export function PaymentForm({ user, plan, total, isProcessing, failure, onPay }: PaymentFormProps) {
  const isRenewing = plan.tier === "basic";
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
      {isRenewing && <Checkbox {...card.consent} label={renewalConsent.textFor(formatPrice(plan.price))} />}
      <CardSubmit
        card={card}
        isProcessing={isProcessing}
        failure={failure}
        label={`Pay ${formatDollars(total)}`}
        note={`${formatDollars(total)}, ${billingNotes[plan.tier]}. First purchases can be refunded within 7 days.`}
      />
    </form>
  );
}
