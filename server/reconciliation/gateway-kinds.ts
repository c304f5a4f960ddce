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
  effect: "We void or refund the charge at the gateway. Nobody’s access changes.",
  repair: unlessRecorded(async (ctx, row) => (await returnMoney(ctx, row)).said),
};

const takenOff = "The payment no longer counts as revenue. Access and renewals end now, and the student gets an email.";

/** The effect of every recorded refund of a charge. */
const lostPayment =
  "The amount no longer counts as revenue. Access ends only if the newest charge was refunded in full.";

/** Ends the access unless the gateway has the charge as paid by now: its lists may have lagged. */
function endAccess(
  { unless, said }: { readonly unless: "found" | "approved"; readonly said: string },
  loss: Pick<Loss, "kind" | "cause" | "reason">,
): Action {
  return {
    action: "end-access",
    label: "End access",
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
    title: "Unknown charge at the gateway",
    sentence: ({ charge, theirs }) => `The gateway has ${charge} for ${theirs}, but no purchase here matches it.`,
    actions: [returnMoneyAction],
  },
  "not-recorded": {
    title: "Paid at the gateway, recorded as failed here",
    sentence: ({ who, theirs, what, charge }) =>
      `${who} was charged ${theirs} for ${what} (${charge}), but the payment is recorded as failed here.`,
    actions: [
      {
        action: "complete-purchase",
        label: "Complete the purchase",
        effect:
          "The student gets the access, and the payment counts as revenue. If there is nothing to give access to (another charge paid for it, the purchase ended, or the account was deleted), we return the money.",
        repair: unlessRecorded(async (ctx, row) => {
          const transaction = await findTransaction(ctx, row);
          if (transaction?.state !== "approved" || !row.attemptId) {
            return "The charge no longer exists, so there was nothing to complete";
          }
          if (await recordLateApproval(ctx, row.attemptId, transaction)) return "Purchase completed";
          return `There was no access left to give. ${(await returnMoney(ctx, row)).said}`;
        }),
      },
    ],
  },
  "unknown-there": {
    title: "Completed here, missing at the gateway",
    sentence: ({ who, what, charge, ours }) =>
      `${who} bought ${what} for ${ours} (${charge}), but the gateway has no such charge.`,
    actions: [
      endAccess(
        { unless: "found", said: "The gateway has it after all" },
        { kind: "void", cause: "never-paid", reason: "the gateway has no such payment" },
      ),
      {
        action: "adopt-charge",
        label: "Use the charge with the same invoice",
        effect:
          "The gateway’s approved charge with this invoice and amount is recorded as the payment. Access doesn’t change.",
        repair: async (ctx, { attemptId }) => {
          if (!attemptId) throw new Error("a charge without an id");
          await adoptChargeOfInvoice(ctx, attemptId);
          return "Recorded as this payment";
        },
      },
    ],
  },
  "amount-differs": {
    title: "Different amount at the gateway",
    sentence: ({ who, theirs, what, charge, ours }) =>
      `${who} paid ${theirs} for ${what} according to the gateway (${charge}), but ${ours} is recorded here.`,
    actions: [
      {
        action: "adopt-amount",
        label: "Use the gateway’s amount",
        effect: "Revenue counts the amount that the gateway charged. Access doesn’t change.",
        repair: async (ctx, row) => {
          if (row.attemptId && row.found !== null) await adoptAmount(ctx, row.attemptId, row.found);
          return "The gateway’s amount was recorded";
        },
      },
      {
        action: "end-access",
        label: "Return the money and end access",
        effect:
          "We return what the gateway charged and end the access. Use this if the card covered only part of the price.",
        repair: async (ctx, row, { actor }) => {
          const { said, kind, transactionId } = await returnMoney(ctx, row);
          const reason = "the card covered only part of the price";
          return `${said}. ${await lose(ctx, { ...row, transactionId }, { kind, cause: "never-paid", reason, actor })}`;
        },
      },
    ],
  },
  "not-settled": {
    title: "Approved but never settled",
    sentence: ({ charge, ours, who, what }) =>
      `${who} paid ${ours} for ${what} (${charge}). The payment was approved but never settled.`,
    actions: [
      endAccess(
        { unless: "approved", said: "It has settled since, so access wasn’t ended" },
        { kind: "void", cause: "never-paid", reason: "the payment did not settle" },
      ),
    ],
  },
  disputed: {
    title: "Payment disputed",
    sentence: ({ who, charge, ours, what }) =>
      `${who} disputed ${charge} of ${ours} for ${what}, and the bank took the money back.`,
    actions: [
      endAccess(
        { unless: "approved", said: "The dispute has been won since, so access wasn’t ended" },
        { kind: "refund", cause: "charged-back", reason: "the payment was charged back" },
      ),
    ],
  },
  "returned-elsewhere": {
    title: "Refunded or voided at the gateway",
    sentence: ({ theirs, who, what, transactionId }) =>
      `The gateway returned ${theirs} to ${who} for ${what} (transaction ${transactionId}), but no refund is recorded here.`,
    actions: [
      {
        action: "record-return",
        label: "Record the refund",
        effect: lostPayment,
        repair: async (ctx, row, { actor }) => {
          const transaction = await findTransaction(ctx, row);
          if (transaction === null || transaction.state === "held") {
            throw new Refusal("conflict", "The gateway doesn’t show this as returned. Nothing was changed.");
          }
          if (!["refund", "voided"].includes(transaction.state))
            return "It wasn’t returned after all, so nothing was recorded";
          const kind = transaction.state === "refund" ? "refund" : "void";
          const amountCents = kind === "refund" ? row.found : null;
          const reason = "the payment was returned at the gateway";
          return lose(ctx, row, { kind, amountCents, cause: "returned", reason, actor });
        },
      },
    ],
  },
  "reference-differs": {
    title: "Charge with an unexpected reference",
    sentence: ({ charge, theirs, who, what }) =>
      `The gateway has ${charge} for ${theirs} under the invoice of ${who} for ${what}, but its reference isn’t the one we sent.`,
    actions: [
      {
        action: "adopt-charge",
        label: "Record as this payment",
        effect: "This charge is recorded as the payment, and the student gets the access.",
        repair: unlessRecorded(async (ctx, row) => {
          const transaction = await findTransaction(ctx, row);
          if (transaction?.state !== "approved" || !row.attemptId) {
            throw new Refusal("conflict", "The gateway doesn’t show this charge as paid. Nothing was changed.");
          }
          if (await adoptCharge(ctx, row.attemptId, transaction)) return "Recorded as this payment";
          return `There was no access left to give. ${(await returnMoney(ctx, row)).said}`;
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
    title: "Refund with an unexpected reference",
    sentence: ({ theirs, transactionId, who, what, ours }) =>
      `The gateway has a refund of ${theirs} to ${who} for ${what} (transaction ${transactionId}), but its reference isn’t the one of our refund of ${ours}.`,
    actions: [
      {
        action: "adopt-refund",
        label: "Record as this refund",
        effect: "This transaction is recorded as the refund.",
        repair: async (ctx, row) => {
          const transaction = await findTransaction(ctx, row);
          if (transaction?.state !== "refund" || !row.subjectId) {
            throw new Refusal("conflict", "The gateway doesn’t have this refund. Nothing was changed.");
          }
          await recordReturn(ctx, row.subjectId, returned(transaction));
          return "Recorded as this refund";
        },
      },
      {
        action: "give-up-refund",
        label: "Mark as a different refund",
        effect: "Our refund is recorded as not made. You can make it again.",
        repair: async (ctx, { subjectId }) => {
          if (subjectId) await recordReturn(ctx, subjectId, neverMade);
          return "Marked as a different refund. Ours can be made again";
        },
      },
    ],
  },
  "outcomes-unknown": {
    title: "Several renewal attempts without an outcome",
    sentence: ({ who, what, detail }) =>
      `We don’t know whether ${who} was charged for ${what}: ${detail ?? "several attempts"} got no answer. We won’t try again until you’ve checked at the gateway.`,
    actions: [
      {
        action: "allow-charges",
        label: "Try the renewal again",
        effect: "Choose this if you’ve checked at the gateway that nothing was charged. We’ll try the renewal again.",
        repair: async () => "Checked. The renewal will be tried again",
      },
      {
        action: "stop-renewal",
        label: "Stop renewing",
        effect: "The student won’t be charged again. Access continues until the end of the paid period.",
        repair: async (ctx, row) => {
          if (row.purchaseId) await stopRenewalOf(ctx, row.purchaseId);
          return "Renewals stopped";
        },
      },
    ],
  },
  "refund-failed": {
    title: "Refund failed at the gateway",
    sentence: ({ ours, who, what, transactionId }) =>
      `The refund of ${ours} to ${who} for ${what} (transaction ${transactionId}) failed at the gateway. The student didn’t get the money.`,
    actions: [payBackAction, takeBackAction("the refund failed at the gateway")],
  },
  "refund-missing": {
    title: "Refund missing at the gateway",
    sentence: ({ ours, who, what, transactionId }) =>
      `A refund of ${ours} to ${who} for ${what} is recorded here, but the gateway doesn’t have it${transactionId ? ` (transaction ${transactionId})` : ""}.`,
    actions: [payBackAction, takeBackAction("the gateway has no such refund", { mayExist: true })],
  },
  "void-settled": {
    title: "Voided here, settled at the gateway",
    sentence: ({ charge, ours, who, what }) =>
      `${who} paid ${ours} for ${what} (${charge}). It is recorded as voided here, but the gateway settled it.`,
    actions: [payBackAction, takeBackAction("the charge settled despite the void")],
  },
  "credit-unlinked": {
    title: "Payout without a charge",
    sentence: ({ theirs, transactionId }) =>
      `The gateway paid out ${theirs} (transaction ${transactionId}), but it doesn’t belong to a charge recorded here.`,
    actions: [
      {
        action: "link-credit",
        label: "Record as a refund",
        effect: `Enter the charge that it refunds. ${lostPayment}`,
        repair: async (ctx, row, { charge, actor }) => {
          const named = charge ? await findChargeByNumber(ctx.db, charge) : null;
          const attemptId = charge ? named?.attemptId : row.attemptId;
          if (!attemptId) {
            const message = "Enter the transaction number of a paid charge.";
            throw new Refusal("conflict", message, { errors: { charge: [message] } });
          }
          const reason = "the payment was returned at the gateway";
          const loss = { kind: "refund", amountCents: row.found, cause: "returned", reason, actor } as const;
          return lose(ctx, { ...row, attemptId }, loss);
        },
      },
      {
        action: "dismiss",
        label: "Dismiss",
        effect: "This payout doesn’t belong to a purchase. Nothing else changes.",
        repair: async () => "Dismissed",
      },
    ],
  },
  "dispute-won": {
    title: "Dispute won",
    sentence: ({ who, charge, ours, what }) =>
      `You won the dispute with ${who} about ${charge} of ${ours} for ${what}. The money is back, but it is still recorded as lost here.`,
    actions: [
      takeBackAction("the dispute was won"),
      {
        action: "book-payment",
        label: "Keep the payment without access",
        effect: "The payment counts as revenue again. Access stays ended.",
        repair: async (ctx, { subjectId }) => {
          if (subjectId) await reverseRefund(ctx, subjectId, { opens: false, why: "the dispute was won" });
          return "The payment counts again. Access stays ended";
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
    return booked ? "It has been recorded since, so there was nothing to do" : repair(ctx, row, request);
  };
}

const goneBefore = "It had already been refunded in full, so nothing was recorded";

async function lose(
  ctx: PaymentContext,
  { attemptId, transactionId }: Row,
  loss: Pick<Loss, "kind" | "cause" | "reason" | "actor"> & { readonly amountCents?: number | null },
): Promise<string> {
  if (!attemptId) throw new Error("a discrepancy without a charge has nothing to end");
  const { endsAccess, refund } = await recordLoss(ctx, { amountCents: null, ...loss, attemptId, transactionId });
  if (!endsAccess && !refund) {
    const isContestable = loss.cause === "charged-back";
    return isContestable ? `${goneBefore}. Contest the chargeback by sending the bank proof of the refund` : goneBefore;
  }
  if (!endsAccess) return "Recorded as refunded. Access continues";
  return loss.cause === "never-paid" ? "Access ended" : "Recorded as refunded. Access ended";
}
