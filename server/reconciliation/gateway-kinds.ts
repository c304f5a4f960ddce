import type { DiscrepancyKind } from "#contract/admin/reconciliation.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { GatewayTransaction } from "#server/gateway/gateway.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { recordNotCharged } from "#server/payments/outcomes.ts";
import { reverseRefund } from "#server/refunds/corrections.ts";
import { type Loss, recordLoss } from "#server/refunds/disputes.ts";
import { recordReturn } from "#server/refunds/refund-outcomes.ts";
import { neverMade, returned } from "#server/refunds/resolver.ts";
import { adoptAmount, adoptCharge, adoptChargeOfInvoice, recordLateApproval, stopRenewalOf } from "./charges.ts";
import type { Action, DecidedKind, Repair } from "./discrepancy-kind.ts";
import { findChargeByNumber } from "./queries.ts";
import { payBackAction, takeBackAction } from "./recorded-refunds.ts";
import { returnMoney } from "./return-money.ts";

type Row = Parameters<Repair>[1];

const returnMoneyAction: Action = {
  action: "return-money",
  label: "Return the money",
  effect: "The charge is voided or refunded at the gateway. No access changes.",
  repair: unlessRecorded(async (ctx, row) => (await returnMoney(ctx, row)).said),
};

const takenOff = "The money is taken off the revenue, nothing renews, the access ends now and the student is told.";

/** The effect of every recorded refund of a charge. */
const lostPayment = "It is taken off the revenue. All of the newest charge ends the access; a part leaves it.";

/** Ends the access unless the gateway has the charge as paid by now: its lists may have lagged. */
function endAccess(
  { unless, said }: { readonly unless: "found" | "approved"; readonly said: string },
  loss: Pick<Loss, "kind" | "cause" | "reason">,
): Action {
  return {
    action: "end-access",
    label: "End the access",
    effect: takenOff,
    repair: async (ctx, row, { actor }) => {
      const transaction = await findTransaction(ctx, row);
      if (unless === "found" ? transaction : transaction?.state === "approved") return said;
      return lose(ctx, row, { ...loss, actor });
    },
  };
}

/** Kinds that the gateway's books show. */
export const kindsOfTheGateway = {
  "unknown-here": {
    title: "Charged at the gateway, unknown here",
    sentence: ({ charge, theirs }) => `The gateway has ${charge} of ${theirs}, and no purchase of ours expects it.`,
    actions: [returnMoneyAction],
  },
  "not-recorded": {
    title: "Charged at the gateway, failed here",
    sentence: ({ who, theirs, what, charge }) =>
      `${who} was charged ${theirs} for ${what} (${charge}), which counts as not paid here.`,
    actions: [
      {
        action: "complete-purchase",
        label: "Complete the purchase",
        effect:
          "What was paid is opened and counted. Where nothing is left to open, since another charge paid for it, its purchase has ended or the account is deleted, the money is returned.",
        repair: unlessRecorded(async (ctx, row) => {
          const transaction = await findTransaction(ctx, row);
          if (transaction?.state !== "approved" || !row.attemptId) {
            return "The charge is no longer there; nothing to complete";
          }
          if (await recordLateApproval(ctx, row.attemptId, transaction)) return "Purchase completed";
          return `Nothing is left to open. ${(await returnMoney(ctx, row)).said}`;
        }),
      },
    ],
  },
  "unknown-there": {
    title: "Completed here, unknown at the gateway",
    sentence: ({ who, what, charge, ours }) =>
      `${who} has ${what} by ${charge} of ${ours}, which the gateway does not know.`,
    actions: [
      endAccess(
        { unless: "found", said: "Found at the gateway after all" },
        { kind: "void", cause: "never-paid", reason: "the gateway has no such payment" },
      ),
      {
        action: "adopt-charge",
        label: "Record the charge of the same invoice",
        effect: "The gateway's approved charge of this invoice and amount counts as this payment. The access stays.",
        repair: async (ctx, { attemptId }) => {
          if (!attemptId) throw new Error("a charge without an id");
          await adoptChargeOfInvoice(ctx, attemptId);
          return "Recorded as this payment";
        },
      },
    ],
  },
  "amount-differs": {
    title: "Another amount at the gateway",
    sentence: ({ who, theirs, what, charge, ours }) =>
      `${who} paid ${theirs} for ${what} by the gateway's ${charge}; our books say ${ours}.`,
    actions: [
      {
        action: "adopt-amount",
        label: "Adopt the gateway's amount",
        effect: "The revenue counts what the gateway charged. The access stays.",
        repair: async (ctx, row) => {
          if (row.attemptId && row.found !== null) await adoptAmount(ctx, row.attemptId, row.found);
          return "The gateway's amount counts";
        },
      },
      {
        action: "end-access",
        label: "Return it and end the access",
        effect: "What the gateway charged goes back, as for a card that covers a part alone, and the access ends.",
        repair: async (ctx, row, { actor }) => {
          const { said, kind, transactionId } = await returnMoney(ctx, row);
          const reason = "the card covered a part alone";
          return `${said}. ${await lose(ctx, { ...row, transactionId }, { kind, cause: "never-paid", reason, actor })}`;
        },
      },
    ],
  },
  "not-settled": {
    title: "Approved, but never settled",
    sentence: ({ charge, ours, who, what }) =>
      `The ${charge} of ${ours} by ${who} for ${what} was approved and never settled.`,
    actions: [
      endAccess(
        { unless: "approved", said: "Settled since; nothing to end" },
        { kind: "void", cause: "never-paid", reason: "the payment did not settle" },
      ),
    ],
  },
  disputed: {
    title: "Charged back by the card holder",
    sentence: ({ who, charge, ours, what }) =>
      `${who} disputed the ${charge} of ${ours} for ${what}, and the bank took the money back.`,
    actions: [
      endAccess(
        { unless: "approved", said: "The dispute was won since; nothing to end" },
        { kind: "refund", cause: "charged-back", reason: "the payment was charged back" },
      ),
    ],
  },
  "returned-elsewhere": {
    title: "Refunded or voided outside the academy",
    sentence: ({ theirs, who, what, transactionId }) =>
      `${theirs} of the payment of ${who} for ${what} was returned at the gateway (transaction ${transactionId}), and our books do not have it.`,
    actions: [
      {
        action: "record-return",
        label: "Record the refund",
        effect: lostPayment,
        repair: async (ctx, row, { actor }) => {
          const transaction = await findTransaction(ctx, row);
          if (transaction === null || transaction.state === "held") {
            throw new Refusal("conflict", "The gateway does not have this as returned. Nothing was changed.");
          }
          if (!["refund", "voided"].includes(transaction.state)) return "Not returned after all; nothing to record";
          const kind = transaction.state === "refund" ? "refund" : "void";
          const amountCents = kind === "refund" ? row.found : null;
          const reason = "the payment was returned at the gateway";
          return lose(ctx, row, { kind, amountCents, cause: "returned", reason, actor });
        },
      },
    ],
  },
  "reference-differs": {
    title: "A charge under our invoice carries another reference",
    sentence: ({ charge, theirs, who, what }) =>
      `The gateway has ${charge} of ${theirs} under the invoice of ${who} for ${what}, with a reference that is not the one of our payment.`,
    actions: [
      {
        action: "adopt-charge",
        label: "Record it as this payment",
        effect: "The payment counts as made by this charge, and what was paid is opened.",
        repair: unlessRecorded(async (ctx, row) => {
          const transaction = await findTransaction(ctx, row);
          if (transaction?.state !== "approved" || !row.attemptId) {
            throw new Refusal("conflict", "The gateway does not have this charge as paid. Nothing was changed.");
          }
          if (await adoptCharge(ctx, row.attemptId, transaction)) return "Recorded as this payment";
          return `Nothing is left to open. ${(await returnMoney(ctx, row)).said}`;
        }),
      },
      {
        ...returnMoneyAction,
        repair: unlessRecorded(async (ctx, row) => {
          const { said } = await returnMoney(ctx, row);
          if (row.attemptId) await recordNotCharged(ctx, row.attemptId, "a charge with another reference was returned");
          return said;
        }),
      },
    ],
  },
  "refund-reference-differs": {
    title: "A refund of our charge carries another reference",
    sentence: ({ theirs, transactionId, who, what, ours }) =>
      `The gateway has a refund of ${theirs} (transaction ${transactionId}) for ${who}, ${what}, with a reference that is not the one of our refund of ${ours}.`,
    actions: [
      {
        action: "adopt-refund",
        label: "Record it as this refund",
        effect: "The refund counts as made by this transaction.",
        repair: async (ctx, row) => {
          const transaction = await findTransaction(ctx, row);
          if (transaction?.state !== "refund" || !row.subjectId) {
            throw new Refusal("conflict", "The gateway does not have this refund. Nothing was changed.");
          }
          await recordReturn(ctx, row.subjectId, returned(transaction));
          return "Recorded as this refund";
        },
      },
      {
        action: "give-up-refund",
        label: "It is another refund",
        effect: "Ours counts as not made, and can be made again.",
        repair: async (ctx, { subjectId }) => {
          if (subjectId) await recordReturn(ctx, subjectId, neverMade);
          return "Another refund; ours can be made again";
        },
      },
    ],
  },
  "outcomes-unknown": {
    title: "Several renewals of one period have no known outcome",
    sentence: ({ who, what, detail }) =>
      `Nobody knows whether ${who} was charged for ${what}: ${detail ?? "several tries"} had no answer that could be found. Nothing is charged until you have looked at the gateway.`,
    actions: [
      {
        action: "allow-charges",
        label: "Allow the next try",
        effect: "You have seen at the gateway that nothing was charged. The renewal is tried again.",
        repair: async () => "Reviewed; the renewal is tried again",
      },
      {
        action: "stop-renewal",
        label: "Stop the renewal",
        effect: "Nothing more is charged; the course stays open to the end of what is paid.",
        repair: async (ctx, row) => {
          if (row.purchaseId) await stopRenewalOf(ctx, row.purchaseId);
          return "The renewal is stopped";
        },
      },
    ],
  },
  "refund-failed": {
    title: "A refund failed at the gateway",
    sentence: ({ ours, who, what, transactionId }) =>
      `The refund of ${ours} to ${who} for ${what} (transaction ${transactionId}) failed at the gateway: the money did not arrive.`,
    actions: [payBackAction, takeBackAction("the refund failed at the gateway")],
  },
  "refund-missing": {
    title: "A refund that the gateway never made",
    sentence: ({ ours, who, what, transactionId }) =>
      `Our books say that ${ours} went back to ${who} for ${what}, and the gateway has no such refund${transactionId ? ` (transaction ${transactionId})` : ""}.`,
    actions: [payBackAction, takeBackAction("the gateway has no such refund", { mayExist: true })],
  },
  "void-settled": {
    title: "Voided here, settled all the same",
    sentence: ({ charge, ours, who, what }) =>
      `The ${charge} of ${ours} by ${who} for ${what} counts as voided here, and the gateway settled it all the same.`,
    actions: [payBackAction, takeBackAction("the charge settled all the same")],
  },
  "credit-unlinked": {
    title: "Paid out at the gateway, linked to no charge",
    sentence: ({ theirs, transactionId }) =>
      `The gateway paid out ${theirs} (transaction ${transactionId}) for no charge of ours.`,
    actions: [
      {
        action: "link-credit",
        label: "Record it as a refund",
        effect: `Name the charge that it pays back. ${lostPayment}`,
        repair: async (ctx, row, { charge, actor }) => {
          const named = charge ? await findChargeByNumber(ctx.db, charge) : null;
          const attemptId = charge ? named?.attemptId : row.attemptId;
          if (!attemptId) {
            const message = "Name the transaction of a charge that was paid.";
            throw new Refusal("conflict", message, { errors: { charge: [message] } });
          }
          const reason = "the payment was returned at the gateway";
          const loss = { kind: "refund", amountCents: row.found, cause: "returned", reason, actor } as const;
          return lose(ctx, { ...row, attemptId }, loss);
        },
      },
      {
        action: "dismiss",
        label: "It is about no purchase",
        effect: "Nothing changes in our books.",
        repair: async () => "About no purchase",
      },
    ],
  },
  "dispute-won": {
    title: "A dispute was won",
    sentence: ({ who, charge, ours, what }) =>
      `The dispute of ${who} about the ${charge} of ${ours} for ${what} was won: the money is back, and our books say that it is lost.`,
    actions: [
      takeBackAction("the dispute was won"),
      {
        action: "book-payment",
        label: "Keep the payment, leave the access closed",
        effect: "The money counts as ours again. The access stays ended.",
        repair: async (ctx, { subjectId }) => {
          if (subjectId) await reverseRefund(ctx, subjectId, { opens: false, why: "the dispute was won" });
          return "The payment counts again; the access stays closed";
        },
      },
    ],
  },
} as const satisfies Partial<Record<DiscrepancyKind, DecidedKind>>;

async function findTransaction({ gateway }: PaymentContext, row: Row): Promise<GatewayTransaction | null> {
  return row.transactionId ? gateway.findTransaction(row.transactionId) : null;
}

/** A later try may have adopted the unknown charge, which then must not be returned. */
function unlessRecorded(repair: Repair): Repair {
  return async (ctx, row, request) => {
    const booked = row.transactionId ? await findChargeByNumber(ctx.db, row.transactionId) : null;
    return booked ? "Recorded here since; nothing to do" : repair(ctx, row, request);
  };
}

const goneBefore = "All of it went back before; nothing to record";

async function lose(
  ctx: PaymentContext,
  { attemptId, transactionId }: Row,
  loss: Pick<Loss, "kind" | "cause" | "reason" | "actor"> & { readonly amountCents?: number | null },
): Promise<string> {
  if (!attemptId) throw new Error("a discrepancy without a charge has nothing to end");
  const { endsAccess, refund } = await recordLoss(ctx, { amountCents: null, ...loss, attemptId, transactionId });
  if (!endsAccess && !refund) {
    const isContestable = loss.cause === "charged-back";
    return isContestable ? `${goneBefore}. Contest the chargeback by showing the bank the refund` : goneBefore;
  }
  if (!endsAccess) return "Recorded as refunded, access stays";
  return loss.cause === "never-paid" ? "Access ended" : "Recorded as refunded, access ended";
}
