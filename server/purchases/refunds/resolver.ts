import type { Context } from "#server/context.ts";
import { type GatewayTransaction, GatewayUnavailable, type ReturnOutcome } from "#server/gateway/gateway.ts";
import { findAttempt } from "../queries.ts";
import { isCertainlyNotCharged, nextLook } from "../rules.ts";
import { findRefund, type RefundRow } from "./queries.ts";
import { planLook, recordReturn } from "./refund-outcomes.ts";

/** The job that finds out what became of a refund whose answer was lost. It never sends one again. */
export async function resolveRefund(ctx: Context, data: { refundId: string; look: number }): Promise<void> {
  const refund = await findRefund(ctx.db, data.refundId);
  if (!refund || (refund.state !== "sent" && refund.state !== "unknown")) return;
  if (data.look === 0 && refund.state !== "sent") return;
  const now = ctx.clock.now();
  const look = Math.max(data.look, 1);
  let cleanLooks = look;
  try {
    const outcome = await findReturn(ctx, refund, now);
    if (outcome) await recordReturn(ctx, refund.id, outcome);
    else if (isCertainlyNotCharged(refund.sentAt, look, now)) await recordReturn(ctx, refund.id, neverMade);
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error;
    ctx.log.warn({ refundId: refund.id, reason: error.message }, "the gateway could not be asked about a refund");
    cleanLooks = look - 1;
  }
  const still = await findRefund(ctx.db, refund.id);
  if (still?.state === "sent" || still?.state === "unknown") {
    await planLook(ctx.db, refund.id, cleanLooks + 1, nextLook(look, now), now);
  }
}

async function findReturn(ctx: Context, refund: RefundRow, now: Date): Promise<ReturnOutcome | null> {
  const charge = await findAttempt(ctx.db, { id: refund.attemptId });
  if (!charge?.transactionId) return null;
  if (refund.kind === "void") {
    const transaction = await ctx.gateway.findTransaction(charge.transactionId);
    return transaction?.state === "voided" ? returned(transaction) : null;
  }
  const { reference, id: invoiceNumber, sentAt } = refund;
  const found = await ctx.gateway.findByReference({ reference, invoiceNumber, sentAt, now });
  return found?.state === "refund" ? returned(found) : null;
}

function returned({ transactionId, codes }: GatewayTransaction): ReturnOutcome {
  return { kind: "returned", transactionId, codes };
}

const neverMade: ReturnOutcome = {
  kind: "not-processed",
  cause: "not-found",
  message: "The money was not returned.",
  reason: "the gateway has no such refund",
  codes: { response: null, reason: null, avs: null, cvv: null },
};
