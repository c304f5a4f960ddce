import type { Context } from "#server/context/context.ts";
import {
  type GatewayTransaction,
  GatewayUnavailable,
  type NotProcessed,
  noCodes,
  type ReturnOutcome,
} from "#server/gateway/gateway.ts";
import { findAttempt } from "#server/payments/attempts.ts";
import { listMatches, recordDoubt } from "#server/payments/lookups.ts";
import { decisive } from "#server/payments/matching.ts";
import { type Finding, resolverOf } from "#server/payments/resolving.ts";
import { findRefund, listOpenSent, listRefundsOf } from "./queries.ts";
import { recordReturn, schedulePoll } from "./refund-outcomes.ts";
import { isHeld, isOpenRefund } from "./rules.ts";
import type { RefundRow } from "./tables.ts";

export const neverMade: NotProcessed = {
  kind: "not-processed",
  cause: "not-found",
  message: "The money was not returned.",
  reason: "the gateway has no such refund",
  codes: noCodes,
};

export const refundResolver = resolverOf({
  what: "refund",
  find: findRefund,
  isOpen: isOpenRefund,
  listOpenSent,
  schedulePoll,
  lookUp,
  record: (ctx: Context, id, outcome: ReturnOutcome) => recordReturn(ctx, id, outcome),
  neverMade,
});

async function lookUp(ctx: Context, refund: RefundRow): Promise<Finding<ReturnOutcome>> {
  const charge = await findAttempt(ctx.db, { id: refund.attemptId });
  if (!charge?.transactionId) return nothing;
  if (refund.kind === "void") {
    const transaction = await ctx.gateway.findTransaction(charge.transactionId);
    if (!transaction) return doubtful;
    return transaction.state === "voided" ? found(returned(transaction)) : nothing;
  }
  if (isHeld(refund) && refund.transactionId !== null) return findDecision(ctx, refund.transactionId);
  const { amount: amountCents, sentAt } = refund;
  const { last4, transactionId: refersTo } = charge;
  const invoiceNumber = invoiceOf(refund);
  const isDuplicate = refund.cause === "duplicate";
  const ofCharge = await listRefundsOf(ctx.db, refund.attemptId);
  const same = ofCharge.filter((one) => invoiceOf(one) === invoiceNumber);
  const booked = new Set(ofCharge.flatMap((one) => one.transactionId ?? []));
  const sent = { invoiceNumber, amountCents, last4, refersTo, sentAt, isDuplicate };
  const matches = await listMatches(ctx, sent, same, {
    doubt: "refund-reference-differs",
    isOfAnother: async (_db, transactionId) => booked.has(transactionId),
  });
  const ours = decisive(matches.flatMap(({ transaction, match }) => (match === "ours" ? transaction : [])));
  if (ours?.state === "refund") return found(returned(ours));
  if (ours?.state === "held") return found({ kind: "held", transactionId: ours.transactionId, codes: ours.codes });
  const doubts = matches.filter(({ match }) => match === "doubtful");
  for (const { transaction } of doubts) {
    await recordDoubt(ctx, "refund-reference-differs", { ...refund, subjectId: refund.id }, transaction);
  }
  if (doubts.length > 0 || isDuplicate) return doubtful;
  return ours ? found({ kind: "refused", reason: "other", codes: ours.codes }) : nothing;
}

/** The gateway's decision about a refund that it held for review. */
async function findDecision(ctx: Context, transactionId: string): Promise<Finding<ReturnOutcome>> {
  const transaction = await ctx.gateway.findTransaction(transactionId);
  if (!transaction || transaction.state === "held") return doubtful;
  if (transaction.state === "refund") return found(returned(transaction));
  return found({ kind: "refused", reason: "other", codes: transaction.codes });
}

const nothing = { kind: "nothing" } as const;
const doubtful = { kind: "doubtful" } as const;

function found(outcome: ReturnOutcome): Finding<ReturnOutcome> {
  return { kind: "found", outcome };
}

/**
 * Finds an earlier refund that was given up but was made. When that is unknown, returns an outcome too, so that
 * nothing is sent.
 */
export async function findEarlier(ctx: Context, refund: RefundRow): Promise<ReturnOutcome | null> {
  const ofCharge = await listRefundsOf(ctx.db, refund.attemptId);
  if (!ofCharge.some((one) => one.id !== refund.id && invoiceOf(one) === invoiceOf(refund))) return null;
  try {
    const finding = await lookUp(ctx, refund);
    if (finding.kind === "doubtful") return { ...unclear, reason: "the gateway has another refund of this charge" };
    return finding.kind === "found" ? finding.outcome : null;
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error;
    return { ...neverMade, cause: "unreachable", reason: error.message };
  }
}

function invoiceOf({ invoiceNumber, id }: RefundRow): string {
  return invoiceNumber ?? id;
}

export function returned({ transactionId, codes }: GatewayTransaction): ReturnOutcome {
  return { kind: "returned", transactionId, codes };
}

const unclear = { kind: "unknown", isDuplicate: false, codes: noCodes } as const;
