import type { DiscrepancyKind, RepairAction } from "#contract/admin/reconciliation.ts";
import { discrepancyWords } from "#contract/admin/reconciliation.ts";
import { after, MINUTE } from "#server/clock.ts";
import type { Context } from "#server/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import {
  claimDiscrepancy,
  type DiscrepancyRow,
  releaseDiscrepancy,
  resolveDiscrepancy,
} from "#server/discrepancies/discrepancies.ts";
import { GatewayUnavailable, type ReturnOutcome } from "#server/gateway/gateway.ts";
import {
  adoptAmount,
  adoptCharge,
  type Loss,
  recordLateApproval,
  recordLoss,
  recordNotCharged,
  stopRenewalOf,
} from "#server/purchases/books.ts";
import { recordReturn } from "#server/purchases/refunds/refund-outcomes.ts";
import { neverMade, returned } from "#server/purchases/refunds/resolver.ts";
import { Refusal } from "#server/refusal.ts";

/** A repair that takes longer than this was left by a node that died. */
const claimTime = 2 * MINUTE;

/** What an administrator asked for. */
export interface RepairRequest {
  readonly discrepancyId: string;
  /** Null: the usual one of its kind. */
  readonly action: RepairAction | null;
  /** The administrator's user id. */
  readonly actor: string;
}

/**
 * Repairs one discrepancy; afterwards the books agree about it. One person at a time.
 * @param note is given the discrepancy as it was found and the action, to write down in the transaction that resolves it.
 * @throws Refusal not-found for one that is repaired or being repaired, invalid-input for an action of another kind,
 *   conflict when the action cannot be done, payment-unavailable when the gateway does not answer.
 */
export async function repair(
  ctx: Context,
  request: RepairRequest,
  note: (tx: Db, found: DiscrepancyRow, action: RepairAction, now: Date) => Promise<void>,
): Promise<void> {
  const now = ctx.clock.now();
  const row = await claimDiscrepancy(ctx.db, request.discrepancyId, now, after(now, -claimTime));
  if (!row) throw new Refusal("not-found", "This discrepancy is repaired already, or somebody is at it.");
  try {
    const action = request.action ?? discrepancyWords[row.kind].actions[0].action;
    const act = repairs[row.kind][action];
    if (!act) throw new Refusal("invalid-input", "This action does not repair such a discrepancy.");
    const resolution = await act(ctx, row, request.actor);
    await ctx.db.transaction(async (tx) => {
      const resolvedAt = ctx.clock.now();
      await resolveDiscrepancy(tx, row.id, resolution, request.actor, resolvedAt);
      await note(tx, row, action, resolvedAt);
    });
  } catch (error) {
    await releaseDiscrepancy(ctx.db, row.id);
    if (error instanceof GatewayUnavailable) {
      throw new Refusal("payment-unavailable", "The gateway does not answer. Nothing was changed; please try again.");
    }
    throw error;
  }
}

/** Does what is asked for and returns what was done, in words for the list. */
type Repair = (ctx: Context, row: DiscrepancyRow, actor: string) => Promise<string>;

const repairs: Readonly<Record<DiscrepancyKind, Readonly<Partial<Record<RepairAction, Repair>>>>> = {
  "unknown-here": { "return-money": returnMoney },
  "not-recorded": {
    "complete-purchase": async (ctx, row) => {
      const transaction = row.transactionId ? await ctx.gateway.findTransaction(row.transactionId) : null;
      if (transaction?.state !== "approved" || !row.attemptId) {
        return "The charge is no longer there; nothing to complete";
      }
      if (await recordLateApproval(ctx, row.attemptId, transaction)) return "Purchase completed";
      return `Paid by another charge since. ${await returnMoney(ctx, row)}`;
    },
  },
  "amount-differs": {
    "adopt-amount": async (ctx, row) => {
      if (row.attemptId && row.found !== null) await adoptAmount(ctx, row.attemptId, row.found);
      return "The gateway's amount counts";
    },
  },
  "unknown-there": {
    "end-access": async (ctx, row, actor) => {
      // The gateway's lists and records can lag: what is there by now must not cost anybody their access.
      if (row.transactionId && (await ctx.gateway.findTransaction(row.transactionId)))
        return "Found at the gateway after all";
      return lose(ctx, row, { kind: "void", cause: "never-paid", reason: "the gateway has no such payment", actor });
    },
  },
  "not-settled": {
    "end-access": (ctx, row, actor) =>
      lose(ctx, row, { kind: "void", cause: "never-paid", reason: "the payment did not settle", actor }),
  },
  disputed: {
    "end-access": async (ctx, row, actor) => {
      const transaction = row.transactionId ? await ctx.gateway.findTransaction(row.transactionId) : null;
      if (transaction?.state === "approved") return "The dispute was won since; nothing to end";
      return lose(ctx, row, { kind: "refund", cause: "charged-back", reason: "the payment was charged back", actor });
    },
  },
  "returned-elsewhere": {
    "record-return": async (ctx, row, actor) => {
      const transaction = row.transactionId ? await ctx.gateway.findTransaction(row.transactionId) : null;
      const kind = transaction?.state === "refund" ? "refund" : "void";
      const amountCents = kind === "refund" ? row.found : null;
      const reason = "the payment was returned at the gateway";
      return lose(ctx, row, { kind, amountCents, cause: "returned", reason, actor });
    },
  },
  "reference-differs": {
    "adopt-charge": async (ctx, row) => {
      const transaction = row.transactionId ? await ctx.gateway.findTransaction(row.transactionId) : null;
      if (transaction?.state !== "approved" || !row.attemptId) {
        throw new Refusal("conflict", "The gateway does not have this charge as paid. Nothing was changed.");
      }
      if (await adoptCharge(ctx, row.attemptId, transaction)) return "Recorded as this payment";
      return `Paid by another charge since. ${await returnMoney(ctx, row)}`;
    },
    "return-money": async (ctx, row) => {
      const returned = await returnMoney(ctx, row);
      if (row.attemptId) await recordNotCharged(ctx, row.attemptId, "a charge with another reference was returned");
      return returned;
    },
  },
  "refund-reference-differs": {
    "adopt-refund": async (ctx, { subjectId, transactionId }) => {
      const transaction = transactionId ? await ctx.gateway.findTransaction(transactionId) : null;
      if (transaction?.state !== "refund" || !subjectId) {
        throw new Refusal("conflict", "The gateway does not have this refund. Nothing was changed.");
      }
      await recordReturn(ctx, subjectId, returned(transaction));
      return "Recorded as this refund";
    },
    "give-up-refund": async (ctx, { subjectId }) => {
      if (subjectId) await recordReturn(ctx, subjectId, neverMade);
      return "Another refund; ours can be made again";
    },
  },
  "outcomes-unknown": {
    "allow-charges": async () => "Looked at; the renewal is tried again",
    "stop-renewal": async (ctx, row) => {
      if (row.purchaseId) await stopRenewalOf(ctx, row.purchaseId);
      return "The renewal is stopped";
    },
  },
};

async function lose(
  ctx: Context,
  { attemptId, transactionId }: DiscrepancyRow,
  loss: Pick<Loss, "kind" | "cause" | "reason" | "actor"> & { readonly amountCents?: number | null },
): Promise<string> {
  if (!attemptId) throw new Error("a discrepancy without a charge has nothing to end");
  const ended = await recordLoss(ctx, { amountCents: null, ...loss, attemptId, transactionId });
  if (!ended) return "Recorded as refunded in part, access stays";
  return loss.cause === "never-paid" ? "Access ended" : "Recorded as refunded, access ended";
}

/** Voids what has not settled and refunds what has. Repeating it cannot pay back twice: the gateway refuses the second. */
async function returnMoney(ctx: Context, row: DiscrepancyRow): Promise<string> {
  const transaction = row.transactionId ? await ctx.gateway.findTransaction(row.transactionId) : null;
  if (transaction?.state !== "approved") return "The charge is no longer there; nothing to return";
  const { transactionId, amountCents, card, settled } = transaction;
  const refund = () => ctx.gateway.refund({ transactionId, amountCents, last4: card.last4 ?? "", reference: newId() });
  if (settled) return resolutionOf(await refund(), "Refunded");
  const voided = await ctx.gateway.voidTransaction({ transactionId, reference: newId() });
  // It settled between the lookup and the void.
  if (voided.kind === "refused" && voided.reason === "settled") return resolutionOf(await refund(), "Refunded");
  return resolutionOf(voided, "Voided");
}

function resolutionOf(outcome: ReturnOutcome, done: string): string {
  if (outcome.kind === "returned") return done;
  if (outcome.kind === "refused" && outcome.reason === "too-much") return "Returned before";
  const why = outcome.kind === "refused" ? "refused" : "did not answer";
  throw new Refusal("payment-unavailable", `The gateway ${why}. The money was not returned; please try again later.`);
}
