import { ApiError, messageOf } from "#app/api/api.ts";
import { fullNameOf } from "#app/card/card-form.ts";
import { isCertainlyUncharged, usePayment } from "#app/card/use-payment.ts";
import type { CardChange } from "#contract/purchases/subscriptions.ts";
import { toast } from "#ui/toast/toast.ts";

/** The body of both requests with a new card. */
export interface NewCard {
  opaqueDataDescriptor: string;
  opaqueDataValue: string;
  customerName: string;
  zip: string;
}

interface SavedCard {
  /** US dollars. Null when nothing was due. */
  charged: string | null;
  message: string;
}

/** The amount due now. */
export interface Due {
  /** US dollars that a new card is charged at once. 0 when nothing is due. */
  amount: number;
  isConfirming: boolean;
}

interface CardChangeOptions {
  /** When the page was opened. */
  due: Due;
  send: (card: NewCard) => Promise<CardChange>;
  /** Fetches what is due now. Null when the user can no longer ask. */
  findDue: () => Promise<Due | null>;
}

/** The title of failures. When nothing is due, the card would only have been saved. */
export function failureTitle(amountDue: number): string {
  return amountDue > 0 ? "Payment Failed" : "Card not saved";
}

const fallback = "We couldn't save your card. Please try again.";

/** Changes a subscription's card. A payment in progress when the page opened is polled first. */
export function useCardChange({ due: { amount: amountDue, isConfirming }, send, findDue }: CardChangeOptions) {
  // `isLost`: the payment may not have reached the academy.
  return usePayment<SavedCard, { isLost: boolean }>({
    failureTitle: failureTitle(amountDue),
    underWay: isConfirming ? { isLost: false } : null,

    async send({ dataDescriptor, dataValue }, form) {
      try {
        const { status, charged, message } = await send({
          opaqueDataDescriptor: dataDescriptor,
          opaqueDataValue: dataValue,
          customerName: fullNameOf(form),
          zip: form.zip.trim(),
        });
        if (status === "pending") return { is: "pending", awaited: { isLost: false } };
        return { is: "done", done: { charged, message } };
      } catch (error) {
        if (amountDue === 0 || isCertainlyUncharged(error)) {
          return { is: "failed", message: messageOf(error, fallback), error };
        }
        return { is: "pending", awaited: { isLost: !(error instanceof ApiError && error.problem) } };
      }
    },

    async ask({ isLost }) {
      const due = await findDue();
      if (due === null) return { is: "out-of-sight" };
      if (due.amount === 0) {
        const message = "Your payment is confirmed. The course is open.";
        return { is: "done", done: { charged: amountDue.toFixed(2), message } };
      }
      if (due.isConfirming) return { is: "pending", awaited: { isLost } };
      // Another attempt cannot charge twice: the server accepts one payment per period.
      return isLost ? { is: "unseen" } : { is: "failed", message: "The payment didn't go through. You can try again." };
    },

    onDone({ charged, message }) {
      toast({ title: charged ? "Payment Successful!" : "Card saved", description: message });
    },
  });
}
