import { useEffect, useRef, useState } from "react";
import { ApiError, messageOf } from "#app/api/api.ts";
import { type CardForm, cardDataOf, fullNameOf } from "#app/card/card-form.ts";
import { CardRefused, tokenizeCard } from "#app/card/card-script.ts";
import { isCertainlyUncharged } from "#app/checkout/payment.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import type { PaymentConfig } from "#contract/purchases/purchases.ts";
import type { CardChange } from "#contract/purchases/subscriptions.ts";
import { toast } from "#ui/feedback/toast.tsx";

/** What either call for a new card takes. */
export interface NewCard {
  opaqueDataDescriptor: string;
  opaqueDataValue: string;
  customerName: string;
  zip: string;
}

export type CardChangeStage =
  | { at: "form"; failure: string | null }
  | { at: "saving" }
  /**
   * It is not known yet how the payment ended. `isLost`: nor whether it reached the academy. `isWatched`: this page sees
   * it when it is known.
   */
  | { at: "confirming"; isLost: boolean; isWatched: boolean }
  | { at: "done"; charged: string | null; message: string };

/** What is owed by now. */
export interface Due {
  /** Dollars that a card is charged at once; 0 when nothing is due. */
  amount: number;
  isConfirming: boolean;
}

interface CardChangeOptions {
  /** As the page found it. */
  due: Due;
  send: (card: NewCard) => Promise<CardChange>;
  /** Looks what is due by now; null when that cannot be asked any more. */
  findDue: () => Promise<Due | null>;
}

/** What a failure is called: where nothing is due, the card was only to be kept. */
export function failureTitle(amountDue: number): string {
  return amountDue > 0 ? "Payment Failed" : "Card not saved";
}

const pollMilliseconds = 3000;
/** Looks without a trace of a lost payment, after which it cannot have reached the academy. */
const pollsBeforeGivingUp = 10;
const fallback = "Your card could not be saved. Please try again.";

/**
 * A new card for a subscription: `change` tokenizes it, sends it once, and ends in the form again with what is wrong, in
 * "confirming", which looks after the payment by itself, or in "done". A payment that was being confirmed when the page
 * opened is looked after first.
 */
export function useCardChange({ due: { amount: amountDue, isConfirming }, send, findDue }: CardChangeOptions) {
  const isBusy = useRef(false);
  const [stage, setStage] = useState<CardChangeStage>(
    isConfirming ? { at: "confirming", isLost: false, isWatched: true } : { at: "form", failure: null },
  );

  function finish(charged: string | null, message: string): void {
    toast({ title: charged ? "Payment Successful!" : "Card saved", description: message });
    setStage({ at: "done", charged, message });
  }

  function fail(failure: string, error?: unknown): void {
    toastFailure(failureTitle(amountDue), error, failure);
    setStage({ at: "form", failure });
  }

  async function change(config: PaymentConfig, form: CardForm): Promise<void> {
    // State is seen one rendering later; a double press comes sooner.
    if (isBusy.current) return;
    isBusy.current = true;
    setStage({ at: "saving" });
    try {
      const { dataDescriptor, dataValue } = await tokenizeCard(config, cardDataOf(form));
      const result = await send({
        opaqueDataDescriptor: dataDescriptor,
        opaqueDataValue: dataValue,
        customerName: fullNameOf(form),
        zip: form.zip.trim(),
      });
      if (result.status === "pending") setStage({ at: "confirming", isLost: false, isWatched: true });
      else finish(result.charged, result.message);
    } catch (error) {
      recover(error);
    } finally {
      isBusy.current = false;
    }
  }

  /** After a failure: another try is offered only when it is certain that this one charged nothing. */
  function recover(error: unknown): void {
    if (error instanceof CardRefused) fail(error.message);
    else if (error instanceof ApiError && amountDue > 0 && !isCertainlyUncharged(error)) {
      setStage({ at: "confirming", isLost: error.problem === null, isWatched: true });
    } else fail(messageOf(error, fallback), error);
  }

  const confirming = stage.at === "confirming" && stage.isWatched ? stage : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the loop belongs to the stage; its functions are new at each rendering
  useEffect(() => {
    if (!confirming) return;
    let polls = 0;
    const poll = async () => {
      const due = await findDue().catch(() => undefined);
      // Nothing is known while the academy does not answer; the next poll asks again.
      if (due === undefined || isOver) return;
      if (due === null) setStage({ ...confirming, isWatched: false });
      else if (due.amount === 0) finish(amountDue.toFixed(2), "Your payment is confirmed. The course is open.");
      else if (!due.isConfirming && !confirming.isLost) fail("The payment did not go through. You can try again.");
      // A second try cannot charge twice: the server takes one payment for each period.
      else if (!due.isConfirming && ++polls >= pollsBeforeGivingUp) {
        fail("Your payment did not reach us. Please try again.");
      }
    };
    let isOver = false;
    const timer = setInterval(poll, pollMilliseconds);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [confirming]);

  return { stage, change };
}
