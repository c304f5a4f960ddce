import type { BreakKind } from "#contract/admin/reconciliation.ts";
import { after, MINUTE } from "#server/clock.ts";
import type { Context } from "#server/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { GatewayUnavailable, type ReturnOutcome } from "#server/gateway/gateway.ts";
import { adoptAmount, type Loss, recordLateApproval, recordLoss } from "#server/purchases/books.ts";
import { Refusal } from "#server/refusal.ts";
import { type BreakRow, claimBreak, releaseBreak, resolveBreak } from "./queries.ts";

/** A mend that takes longer than this was left by a node that died. */
const claimTime = 2 * MINUTE;

/**
 * Mends one break by the action of its kind; afterwards the books agree about it. One person at a time.
 * @param note is given the break as it was found, to write down in the transaction that resolves it.
 * @throws Refusal not-found for one that is mended or being mended, payment-unavailable when the gateway does not answer.
 */
export async function mend(
  ctx: Context,
  breakId: string,
  administratorId: string,
  note: (tx: Db, found: BreakRow, now: Date) => Promise<void>,
): Promise<void> {
  const now = ctx.clock.now();
  const row = await claimBreak(ctx.db, breakId, now, after(now, -claimTime));
  if (!row) throw new Refusal("not-found", "This break is mended already, or somebody is at it.");
  try {
    const resolution = await repairs[row.kind](ctx, row, administratorId);
    await ctx.db.transaction(async (tx) => {
      const resolvedAt = ctx.clock.now();
      await resolveBreak(tx, row.id, resolution, administratorId, resolvedAt);
      await note(tx, row, resolvedAt);
    });
  } catch (error) {
    await releaseBreak(ctx.db, row.id);
    if (error instanceof GatewayUnavailable) {
      throw new Refusal("payment-unavailable", "The gateway does not answer. Nothing was changed; please try again.");
    }
    throw error;
  }
}

/** Each kind's one action; it returns what was done, in words for the list. */
const repairs: Readonly<Record<BreakKind, (ctx: Context, row: BreakRow, actor: string) => Promise<string>>> = {
  "unknown-here": returnMoney,
  "not-recorded": async (ctx, row) => {
    const transaction = row.transactionId ? await ctx.gateway.findTransaction(row.transactionId) : null;
    if (transaction?.state !== "approved" || !row.attemptId) {
      return "The charge is no longer there; nothing to complete";
    }
    if (await recordLateApproval(ctx, row.attemptId, transaction)) return "Purchase completed";
    return `Paid by another charge since. ${await returnMoney(ctx, row)}`;
  },
  "amount-differs": async (ctx, row) => {
    if (row.attemptId && row.found !== null) await adoptAmount(ctx, row.attemptId, row.found);
    return "Amount taken over from the gateway";
  },
  "unknown-there": async (ctx, row, actor) => {
    // The gateway's lists and records can lag: what is there by now must not cost anybody their access.
    if (row.transactionId && (await ctx.gateway.findTransaction(row.transactionId)))
      return "Found at the gateway after all";
    return lose(ctx, row, { kind: "void", cause: "never-paid", reason: "the gateway has no such payment", actor });
  },
  "not-settled": (ctx, row, actor) =>
    lose(ctx, row, { kind: "void", cause: "never-paid", reason: "the payment did not settle", actor }),
  disputed: async (ctx, row, actor) => {
    const transaction = row.transactionId ? await ctx.gateway.findTransaction(row.transactionId) : null;
    if (transaction?.state === "approved") return "The dispute was won since; nothing to end";
    return lose(ctx, row, { kind: "refund", cause: "charged-back", reason: "the payment was charged back", actor });
  },
  "returned-elsewhere": async (ctx, row, actor) => {
    const transaction = row.transactionId ? await ctx.gateway.findTransaction(row.transactionId) : null;
    const kind = transaction?.state === "refund" ? "refund" : "void";
    const amountCents = kind === "refund" ? row.found : null;
    const reason = "the payment was returned at the gateway";
    return lose(ctx, row, { kind, amountCents, cause: "returned", reason, actor });
  },
};

async function lose(
  ctx: Context,
  { attemptId, transactionId }: BreakRow,
  loss: Pick<Loss, "kind" | "cause" | "reason" | "actor"> & { readonly amountCents?: number | null },
): Promise<string> {
  if (!attemptId) throw new Error("a break without a charge has nothing to end");
  const ended = await recordLoss(ctx, { amountCents: null, ...loss, attemptId, transactionId });
  if (!ended) return "Recorded as refunded in part, access stays";
  return loss.cause === "never-paid" ? "Access ended" : "Recorded as refunded, access ended";
}

/** Voids what has not settled and refunds what has. Repeating it cannot pay back twice: the gateway refuses the second. */
async function returnMoney(ctx: Context, row: BreakRow): Promise<string> {
  const transaction = row.transactionId ? await ctx.gateway.findTransaction(row.transactionId) : null;
  if (transaction?.state !== "approved") return "The charge is no longer there; nothing to return";
  const { transactionId, amountCents, card, settled } = transaction;
  const refund = () => ctx.gateway.refund({ transactionId, amountCents, last4: card.last4 ?? "", reference: newId() });
  if (settled) return returned(await refund(), "Refunded");
  const voided = await ctx.gateway.voidTransaction({ transactionId, reference: newId() });
  // It settled between the look and the void.
  if (voided.kind === "refused" && voided.reason === "settled") return returned(await refund(), "Refunded");
  return returned(voided, "Voided");
}

function returned(outcome: ReturnOutcome, done: string): string {
  if (outcome.kind === "returned") return done;
  if (outcome.kind === "refused" && outcome.reason === "too-much") return "Returned before";
  const why = outcome.kind === "refused" ? "refused" : "did not answer";
  throw new Refusal("payment-unavailable", `The gateway ${why}. The money was not returned; please look again later.`);
}
