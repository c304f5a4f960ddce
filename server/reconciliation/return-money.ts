import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { newId } from "#server/db/id.ts";
import type { DiscrepancyRow } from "#server/discrepancies/discrepancies.ts";
import type { ReturnOutcome } from "#server/gateway/gateway.ts";
import type { Loss } from "#server/refunds/disputes.ts";

/** In the form that `lose` records. */
export interface ReturnedMoney extends Pick<Loss, "kind" | "transactionId"> {
  readonly said: string;
}

/** Safe to repeat: the gateway refuses a second one. */
export async function returnMoney(ctx: Context, row: DiscrepancyRow): Promise<ReturnedMoney> {
  const transaction = row.transactionId ? await ctx.gateway.findTransaction(row.transactionId) : null;
  if (transaction?.state !== "approved") {
    const said = "The charge no longer exists, so there was nothing to return";
    return { said, kind: "void", transactionId: row.transactionId };
  }
  const { transactionId, amountCents, card, settled } = transaction;
  const refund = () => ctx.gateway.refund({ transactionId, amountCents, last4: card.last4 ?? "", reference: newId() });
  if (settled) return moneyReturned(await refund(), "refund", transactionId);
  const voided = await ctx.gateway.voidTransaction({ transactionId, reference: newId() });
  // The charge settled between the lookup and the void.
  if (voided.kind === "refused" && voided.reason === "settled") {
    return moneyReturned(await refund(), "refund", transactionId);
  }
  return moneyReturned(voided, "void", transactionId);
}

function moneyReturned(outcome: ReturnOutcome, kind: Loss["kind"], charge: string): ReturnedMoney {
  if (outcome.kind === "returned") {
    return { said: kind === "void" ? "Voided" : "Refunded", kind, transactionId: outcome.transactionId };
  }
  if (outcome.kind === "refused" && outcome.reason === "too-much") {
    return { said: "Already returned", kind, transactionId: charge };
  }
  if (outcome.kind === "held") {
    const message = "The gateway is holding the refund for review. Decide about it there, then try again here.";
    throw new Refusal("payment-unavailable", message);
  }
  if (outcome.kind === "unknown") {
    const message =
      "We lost the gateway’s answer, so the money may have been returned already. Try again: it can’t be returned twice.";
    throw new Refusal("payment-unavailable", message);
  }
  const why = outcome.kind === "refused" ? "refused" : "didn’t answer";
  throw new Refusal("payment-unavailable", `The gateway ${why}. The money wasn’t returned. Try again later.`);
}
