import { CardFields, CardSubmit, NameFields } from "#app/card/card-fields.tsx";
import { type CardForm, cardFields } from "#app/card/card-form.ts";
import { useCardForm } from "#app/card/use-card-form.ts";
import type { PaymentFailure } from "#app/card/use-payment.ts";
import { formatDollars } from "#contract/money.ts";
import type { PaymentConfig } from "#contract/purchases/purchases.ts";
import { renewalPrices, todayAndLater } from "#contract/purchases/sentences.ts";
import type { Owed } from "./owed-summary.tsx";
import { failureTitle } from "./use-card-change.ts";

/** Without email, because the receipt goes to the account's address. */
const newCardFields = cardFields.filter((field) => field !== "email");

interface CardChangeFormProps {
  owed: Owed;
  name: { firstName: string | null; lastName: string | null };
  isProcessing: boolean;
  failure: PaymentFailure | null;
  onChange: (config: PaymentConfig, form: CardForm) => Promise<void>;
}

/** The card form of a subscription. The button's label says whether something is charged now. */
export function CardChangeForm({ owed, name, isProcessing, failure, onChange }: CardChangeFormProps) {
  const card = useCardForm({
    fields: newCardFields,
    initial: { firstName: name.firstName ?? "", lastName: name.lastName ?? "" },
    isProcessing,
    onSubmit: onChange,
  });
  const amountDue = Number(owed.amountDue);
  const due = formatDollars(amountDue);
  return (
    <form {...card.frame} className="grid gap-8">
      <fieldset className="grid gap-5">
        <legend className="printed mb-4 text-ink-soft">Name on the card</legend>
        <NameFields card={card} />
      </fieldset>
      <CardFields card={card} />
      <CardSubmit
        card={card}
        isProcessing={isProcessing}
        failureTitle={failureTitle(amountDue)}
        failure={failure}
        label={amountDue > 0 ? `Pay ${due} and save card` : "Save card"}
        note={
          amountDue > 0
            ? `With this you agree that ${chargesFrom(owed)} until you cancel. You can cancel at any time.`
            : `Nothing is charged today. With this you agree that renewals are charged to this card: ${renewalPrices(owed.price, owed.later)} until you cancel. You can cancel at any time.`
        }
      />
    </form>
  );
}

/** The payment that is due is the first of those that a coupon still discounts. */
function chargesFrom({ amountDue, later }: Owed): string {
  const due = Number(amountDue);
  return later
    ? `this card is charged ${todayAndLater(due, later.price, later.after - 1)}`
    : `${formatDollars(due)} is charged to this card today and again every 30 days`;
}
