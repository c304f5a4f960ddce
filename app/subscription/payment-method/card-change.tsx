import { cardPromise } from "#app/card/card-fields.tsx";
import { CheckoutColumns } from "#app/card/checkout-frame.tsx";
import { Confirming } from "#app/card/confirming.tsx";
import { Slip } from "#app/card/payment-slip.tsx";
import { href } from "#contract/addresses.ts";
import { formatDollars } from "#contract/money.ts";
import type { CardChange as CardChangeResult } from "#contract/purchases/subscriptions.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { CardChangeForm } from "./card-change-form.tsx";
import { type Owed, OwedSummary } from "./owed-summary.tsx";
import { type Due, type NewCard, useCardChange } from "./use-card-change.ts";

/** What is due, from a subscription or from an emailed link. */
export function dueOf({ amountDue, isConfirming }: Pick<Owed, "amountDue" | "isConfirming">): Due {
  return { amount: Number(amountDue), isConfirming };
}

interface CardChangeProps {
  owed: Owed;
  /** The known parts of the cardholder's name. */
  name: { firstName: string | null; lastName: string | null };
  send: (card: NewCard) => Promise<CardChangeResult>;
  /** Fetches what is due now. Null when the user can no longer ask. */
  findDue: () => Promise<Due | null>;
}

/** The amount due and the plan beside the card form. The result replaces them. */
export function CardChange({ owed, name, send, findDue }: CardChangeProps) {
  const { stage, pay } = useCardChange({ due: dueOf(owed), send, findDue });
  if (stage.at === "confirming") {
    return (
      <Confirming isWatched={stage.isWatched}>we'll email you when it's paid, and your course opens then.</Confirming>
    );
  }
  if (stage.at === "done") return <Done planName={owed.planName} {...stage.done} />;
  return (
    <CheckoutColumns
      title={Number(owed.amountDue) > 0 ? "Pay with a new card" : "Change your card"}
      lead={cardPromise}
      summary={<OwedSummary owed={owed} />}
    >
      <CardChangeForm
        owed={owed}
        name={name}
        isProcessing={stage.at === "processing"}
        failure={stage.at === "form" ? stage.failure : null}
        onChange={pay}
      />
    </CheckoutColumns>
  );
}

function Done({ planName, charged, message }: { planName: string; charged: string | null; message: string }) {
  return (
    <Slip
      code={planName}
      stamp={charged ? "Paid" : "Saved"}
      title={charged ? "Payment Successful!" : "Your card is saved"}
      message={message}
      lines={[
        ["Plan", planName],
        ["Charged today", charged ? formatDollars(Number(charged)) : "nothing"],
        ["Renewal", "every 30 days until you cancel"],
      ]}
    >
      <a href={href.dashboard()} className={buttonStyle({ variant: "tag", size: "large", wide: true })}>
        Open the course
      </a>
      <a href={href.subscription()} className={buttonStyle({ variant: "outline", size: "large", wide: true })}>
        See your membership
      </a>
    </Slip>
  );
}
