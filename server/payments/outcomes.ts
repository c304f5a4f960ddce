import { eq } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { isDatabaseAway } from "#server/db/unavailable.ts";
import type { ChargeOutcome } from "#server/gateway/gateway.ts";
import { lockUser } from "#server/identity/users.ts";
import { type AttemptRow, findAttempt, isOpen, lockAttempt, schedulePoll } from "./attempts.ts";
import type { Failed, PaymentContext } from "./handlers.ts";
import { nextPoll } from "./polling.ts";
import { numberReceipt } from "./receipt-numbers.ts";
import { notCharged } from "./rules.ts";
import { paymentAttempts } from "./tables.ts";

/**
 * Records the outcome of an attempt and all its consequences, in one transaction. Safe to repeat, and in any order: a
 * resolved attempt does not change.
 * @param isFirst set by the sender; starts the resolver's polls when the outcome is unknown
 * @returns the attempt afterwards
 */
export async function recordOutcome(
  ctx: PaymentContext,
  attemptId: string,
  outcome: ChargeOutcome,
  { isFirst = false } = {},
): Promise<AttemptRow> {
  const now = ctx.clock.now();
  const recorded = await ctx.db.transaction(async (tx) => {
    const found = await findAttempt(tx, { id: attemptId });
    if (!found) throw new Error(`there is no payment attempt ${attemptId}`);
    // Locks the student before the attempt, like the checkout, to avoid deadlocks.
    await lockUser(tx, found.userId);
    const attempt = await lockAttempt(tx, attemptId);
    if (!isOpen(attempt)) return { attempt, changed: false };
    const isNews = outcome.kind !== attempt.state && (outcome.kind !== "unknown" || attempt.state === "sent");
    if (!isNews) return { attempt, changed: false };
    const updated = await writeAttempt(tx, attempt, outcome, now);
    if (isFirst && isOpen(updated)) {
      // A duplicate is in the gateway's lists already, so the first poll runs at once.
      await schedulePoll(tx, attempt.id, 1, updated.cause === "duplicate" ? now : nextPoll(0, now), now);
    }
    const handler = ctx.paymentHandlers.outcomes[attempt.kind];
    if (outcome.kind === "approved") await handler.approved(tx, updated, outcome, now);
    if (outcome.kind === "declined" || outcome.kind === "not-processed") {
      if (isCredentialsRefused(outcome)) await ctx.paymentHandlers.credentialsRefused(tx, outcome.codes.reason, now);
      await handler.failed(tx, attempt, outcome, now);
    }
    return { attempt: updated, changed: true };
  });
  if (recorded.changed) {
    const { id, purchaseId, state, responseCode, reasonCode, note } = recorded.attempt;
    ctx.log.info({ attemptId: id, purchaseId, state, responseCode, reasonCode, note }, "payment outcome recorded");
  }
  return recorded.attempt;
}

/**
 * Call after the gateway has answered. If the database is unavailable, the attempt stays `sent` for the resolver,
 * because the student must not be told to try again.
 */
export async function recordFirstOutcome(
  ctx: PaymentContext,
  attempt: AttemptRow,
  outcome: ChargeOutcome,
): Promise<AttemptRow> {
  try {
    return await recordOutcome(ctx, attempt.id, outcome, { isFirst: true });
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    ctx.log.error({ err: error, attemptId: attempt.id }, "payment outcome left to the resolver");
    return attempt;
  }
}

/** For an administrator who has looked at the gateway. A resolved attempt does not change. */
export async function recordNotCharged(ctx: PaymentContext, attemptId: string, reason: string): Promise<void> {
  await recordOutcome(ctx, attemptId, notCharged("not-paid", reason));
}

function isCredentialsRefused(outcome: Failed): boolean {
  return outcome.kind === "not-processed" && outcome.cause === "credentials";
}

async function writeAttempt(tx: Db, attempt: AttemptRow, outcome: ChargeOutcome, now: Date): Promise<AttemptRow> {
  const [row] = await tx
    .update(paymentAttempts)
    .set({
      state: outcome.kind,
      cause: causeOf(outcome),
      responseCode: outcome.codes.response,
      reasonCode: outcome.codes.reason,
      avs: outcome.codes.avs,
      cvv: outcome.codes.cvv,
      ...("transactionId" in outcome && { transactionId: outcome.transactionId }),
      ...("card" in outcome && { last4: outcome.card.last4, brand: outcome.card.brand }),
      ...("reason" in outcome && { note: outcome.reason }),
      ...("chargedAt" in outcome && { sentAt: outcome.chargedAt }),
      resolvedAt: outcome.kind === "unknown" || outcome.kind === "held" ? null : now,
    })
    .where(eq(paymentAttempts.id, attempt.id))
    .returning();
  const written = row ?? attempt;
  return outcome.kind === "approved" ? numberReceipt(tx, written) : written;
}

function causeOf(outcome: ChargeOutcome): AttemptRow["cause"] {
  if (outcome.kind === "unknown") return outcome.isDuplicate ? "duplicate" : null;
  return "cause" in outcome ? outcome.cause : null;
}
