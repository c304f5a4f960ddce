import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import type { ReturnOutcome } from "#server/gateway/gateway.ts";
import { lockUser } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { findAttempt } from "#server/payments/attempts.ts";
import { nextPoll } from "#server/payments/polling.ts";
import { findPurchase } from "#server/purchases/purchases.ts";
import { findRefund, lockRefund } from "./queries.ts";
import { giveBackHeldUp } from "./replaced.ts";
import { emailRefund, endPurchase, endRenewal, settleMoneyKept } from "./returned-money.ts";
import { type RefundRow, refunds } from "./tables.ts";

/** Records the outcome of a refund and all its consequences, in one transaction. Safe to repeat. */
export async function recordReturn(
  ctx: Context,
  refundId: string,
  outcome: ReturnOutcome,
  { isFirst = false } = {},
): Promise<RefundRow> {
  const now = ctx.clock.now();
  const isOpen = outcome.kind === "unknown" || outcome.kind === "held";
  const recorded = await ctx.db.transaction(async (tx) => {
    const found = await findRefund(tx, refundId);
    if (!found) throw new Error(`there is no refund ${refundId}`);
    await lockUser(tx, found.userId);
    const refund = await lockRefund(tx, refundId);
    if (refund.state === "returned" || refund.state === "refused") return refund;
    const [updated] = await tx
      .update(refunds)
      .set({ ...resultOf(outcome), cause: causeOf(outcome), ...(!isOpen && { resolvedAt: now }) })
      .where(eq(refunds.id, refundId))
      .returning();
    if (outcome.kind === "returned") await applyReturn(tx, refund, now);
    else if (!isOpen) await reinstateReplaced(tx, refund);
    if (!isOpen) await giveBackHeldUp(tx, refund, now);
    if (isFirst && isOpen) await schedulePoll(tx, refundId, 1, nextPoll(0, now), now);
    return updated ?? refund;
  });
  ctx.log.info({ refundId, state: recorded.state, note: recorded.note }, "refund outcome recorded");
  return recorded;
}

function resultOf(outcome: ReturnOutcome): Pick<RefundRow, "state"> & Partial<RefundRow> {
  switch (outcome.kind) {
    case "returned":
      return { state: "returned", transactionId: outcome.transactionId };
    case "refused":
      return { state: "refused", note: refusedWords[outcome.reason] };
    case "not-processed":
      return {
        state: "refused",
        note: "We couldn't reach the gateway. The money wasn't returned. Please try again.",
      };
    case "held":
      return { state: "unknown", transactionId: outcome.transactionId, note: heldWords };
    case "unknown":
      return { state: "unknown", note: outcome.reason };
  }
}

const heldWords = "The gateway holds it for review: it is made, or not, once somebody has decided there.";

function causeOf(outcome: ReturnOutcome): RefundRow["cause"] {
  if (outcome.kind === "held") return "held";
  if (outcome.kind === "unknown") return outcome.isDuplicate ? "duplicate" : null;
  return "cause" in outcome ? outcome.cause : null;
}

const refusedWords = {
  settled: "The payment has just been settled. Please try again: it is refunded now.",
  "not-settled":
    "The gateway does not return this payment: it has not settled yet, which takes until tomorrow, or did so more than 120 days ago.",
  "too-much": "The gateway says that this payment was returned before. The books will be compared tonight.",
  other: "The gateway refused to return this payment.",
} as const;

async function applyReturn(tx: Db, refund: RefundRow, now: Date): Promise<void> {
  const charge = await findAttempt(tx, { id: refund.attemptId });
  const purchase = await findPurchase(tx, refund.purchaseId);
  if (!charge || !purchase) throw new Error(`the refund ${refund.id} has no charge`);
  await settleMoneyKept(tx, purchase.id);
  if (refund.endsAccess) await endPurchase(tx, purchase, "ended", "refunded", now);
  // A second try must not end what the student has resumed since the first.
  if (refund.accessKeptUntil !== null && refund.replaces === null) await endRenewal(tx, purchase.id, now);
  await emailRefund(tx, { refund, charge, planName: purchase.planName, cause: "returned" }, now);
}

/** The refund that this one replaces counts as made again; the nightly comparison reports it anew. */
async function reinstateReplaced(tx: Db, { replaces, purchaseId }: RefundRow): Promise<void> {
  if (replaces === null) return;
  await tx.update(refunds).set({ state: "returned", note: null }).where(eq(refunds.id, replaces));
  await settleMoneyKept(tx, purchaseId);
}

export async function recordNotSent(ctx: Context, refundId: string, note: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const found = await findRefund(tx, refundId);
    if (!found) return;
    await lockUser(tx, found.userId);
    const refund = await lockRefund(tx, refundId);
    if (refund.state !== "sent") return;
    const now = ctx.clock.now();
    await tx.update(refunds).set({ state: "refused", note, resolvedAt: now }).where(eq(refunds.id, refundId));
    await giveBackHeldUp(tx, refund, now);
  });
}

const Polled = z.object({ refundId: z.string(), poll: z.int() });
export const resolveRefundJob = defineJob("resolve-refund", Polled, { lane: "gateway" });

/** Poll 0 only concerns a refund whose process may have died. */
export async function schedulePoll(db: Db, refundId: string, poll: number, runAt: Date, now: Date): Promise<void> {
  const key = `${refundId}:${poll}:${runAt.getTime()}`;
  await scheduleJob(db, resolveRefundJob, { data: { refundId, poll }, key, runAt, now });
}
