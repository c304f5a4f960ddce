import type { z } from "zod";
import { after, DAY } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import { recordDiscrepancy, repairedAt } from "#server/discrepancies/discrepancies.ts";
import {
  type GatewayTransaction,
  GatewayUnavailable,
  type NotProcessed,
  noCodes,
  type ReturnOutcome,
} from "#server/gateway/gateway.ts";
import { findAttempt } from "#server/payments/attempts.ts";
import { decisive, type Match, matchOf } from "#server/payments/matching.ts";
import {
  askedAtNight,
  isCertainlyNotCharged,
  isPolled,
  nextPoll,
  type PollCounts,
  pollOf,
} from "#server/payments/polling.ts";
import { findRefund, listOpenSent, listRefundsOf } from "./queries.ts";
import { recordReturn, schedulePoll } from "./refund-outcomes.ts";
import { isHeld, isOpenRefund } from "./rules.ts";
import type { RefundRow } from "./tables.ts";

/** Polls for days; sends no refund. */
export async function resolveRefund(
  ctx: Context,
  { refundId, ...counts }: z.infer<typeof PollCounts> & { readonly refundId: string },
): Promise<void> {
  const count = pollOf(counts);
  const refund = await findRefund(ctx.db, refundId);
  if (!refund || !isOpenRefund(refund)) return;
  if (count === 0 && refund.state !== "sent") return;
  const now = ctx.clock.now();
  const poll = Math.max(count, 1);
  const cleanPolls = (await ask(ctx, refund, poll)) ? poll : poll - 1;
  const known = await findRefund(ctx.db, refund.id);
  if (known && isOpenRefund(known) && isPolled(known.sentAt, now)) {
    await schedulePoll(ctx.db, refund.id, cleanPolls + 1, nextPoll(poll, now), now);
  }
}

/** Asks once, and schedules no poll. @returns the refund afterwards */
export async function askAgain(ctx: Context, refundId: string): Promise<RefundRow | null> {
  const refund = await findRefund(ctx.db, refundId);
  if (refund && isOpenRefund(refund)) await ask(ctx, refund, 1);
  return findRefund(ctx.db, refundId);
}

/** Asks about refunds that are no longer polled. */
export async function askAgainAtNight(ctx: Context): Promise<void> {
  for (const { id } of await listOpenSent(ctx.db, askedAtNight(ctx.clock.now()))) await askAgain(ctx, id);
}

/** False when the answer does not tell whether there is a refund. */
async function ask(ctx: Context, refund: RefundRow, poll: number): Promise<boolean> {
  const now = ctx.clock.now();
  try {
    const outcome = await findReturn(ctx, refund, now);
    if (outcome === "doubtful") return false;
    if (outcome) await recordReturn(ctx, refund.id, outcome);
    else if (isCertainlyNotCharged(refund.sentAt, poll, now)) await recordReturn(ctx, refund.id, neverMade);
    return true;
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error;
    ctx.log.warn({ refundId: refund.id, reason: error.message }, "the gateway could not be asked about a refund");
    return false;
  }
}

/**
 * Null when it is in none of the complete lists. Doubtful: a person must decide, or the gateway reported a duplicate.
 */
async function findReturn(ctx: Context, refund: RefundRow, now: Date): Promise<ReturnOutcome | "doubtful" | null> {
  const charge = await findAttempt(ctx.db, { id: refund.attemptId });
  if (!charge?.transactionId) return null;
  if (refund.kind === "void") {
    const transaction = await ctx.gateway.findTransaction(charge.transactionId);
    if (!transaction) return "doubtful";
    return transaction.state === "voided" ? returned(transaction) : null;
  }
  if (isHeld(refund) && refund.transactionId !== null) return findDecision(ctx, refund.transactionId);
  const { invoiceNumber, amount: amountCents, sentAt } = { ...refund, invoiceNumber: invoiceOf(refund) };
  const isDuplicate = refund.cause === "duplicate";
  const ofCharge = await listRefundsOf(ctx.db, refund.attemptId);
  const same = ofCharge.filter((one) => invoiceOf(one) === invoiceNumber);
  const booked = new Set(ofCharge.flatMap((one) => one.transactionId ?? []));
  const since = after(new Date(Math.min(...same.map((one) => one.sentAt.getTime()))), isDuplicate ? -DAY : 0);
  const refersTo = charge.transactionId;
  const search = { invoiceNumbers: [invoiceNumber], amountCents, refersTo, since, now, freshSince: now };
  const references = same.map((one) => one.reference);
  const sent = { invoiceNumber, references, amountCents, last4: charge.last4, refersTo, sentAt, isDuplicate };
  const matches: { transaction: GatewayTransaction; match: Match }[] = [];
  for (const transaction of await ctx.gateway.listUnder(search)) {
    const { transactionId: subject } = transaction;
    const isDecided = await repairedAt(ctx.db, { kind: "refund-reference-differs", subject });
    if (!isDecided && !booked.has(subject)) matches.push({ transaction, match: matchOf(transaction, sent) });
  }
  const ours = decisive(matches.flatMap(({ transaction, match }) => (match === "ours" ? transaction : [])));
  if (ours?.state === "refund") return returned(ours);
  if (ours?.state === "held") return { kind: "held", transactionId: ours.transactionId, codes: ours.codes };
  const doubtful = matches.filter(({ match }) => match === "doubtful");
  for (const { transaction } of doubtful) await recordDoubt(ctx, refund, transaction, now);
  if (doubtful.length > 0 || isDuplicate) return "doubtful";
  return ours ? { kind: "refused", reason: "other", codes: ours.codes } : null;
}

/** The gateway's decision about a refund that it held for review. */
async function findDecision(ctx: Context, transactionId: string): Promise<ReturnOutcome | "doubtful"> {
  const transaction = await ctx.gateway.findTransaction(transactionId);
  if (!transaction || transaction.state === "held") return "doubtful";
  if (transaction.state === "refund") return returned(transaction);
  return { kind: "refused", reason: "other", codes: transaction.codes };
}

/**
 * Finds an earlier refund that was given up but was made. When that is unknown, returns an outcome too, so that
 * nothing is sent.
 */
export async function findEarlier(ctx: Context, refund: RefundRow): Promise<ReturnOutcome | null> {
  const ofCharge = await listRefundsOf(ctx.db, refund.attemptId);
  if (!ofCharge.some((one) => one.id !== refund.id && invoiceOf(one) === invoiceOf(refund))) return null;
  try {
    const found = await findReturn(ctx, refund, ctx.clock.now());
    return found === "doubtful" ? { ...unclear, reason: "the gateway has another refund of this charge" } : found;
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error;
    return { ...neverMade, cause: "unreachable", reason: error.message };
  }
}

function invoiceOf({ invoiceNumber, id }: RefundRow): string {
  return invoiceNumber ?? id;
}

async function recordDoubt(ctx: Context, refund: RefundRow, found: GatewayTransaction, now: Date): Promise<void> {
  const { id: subjectId, attemptId, purchaseId, userId, amount: expectedCents } = refund;
  const { transactionId, amountCents: foundCents } = found;
  const about = { kind: "refund-reference-differs" as const, subject: transactionId, transactionId, subjectId };
  const sides = { attemptId, purchaseId, userId, expectedCents, foundCents };
  const isNew = await recordDiscrepancy(ctx.db, { ...about, ...sides }, now);
  if (isNew) ctx.log.error({ refundId: subjectId, transactionId }, "a refund at the gateway may not be ours");
}

export function returned({ transactionId, codes }: GatewayTransaction): ReturnOutcome {
  return { kind: "returned", transactionId, codes };
}

const unclear = { kind: "unknown", isDuplicate: false, codes: noCodes } as const;

export const neverMade: NotProcessed = {
  kind: "not-processed",
  cause: "not-found",
  message: "The money was not returned.",
  reason: "the gateway has no such refund",
  codes: noCodes,
};
