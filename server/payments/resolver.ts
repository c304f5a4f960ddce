import type { z } from "zod";
import { GatewayUnavailable } from "#server/gateway/gateway.ts";
import { type AttemptRow, findAttempt, isOpen, listOpenSent, schedulePoll } from "./attempts.ts";
import type { PaymentContext } from "./handlers.ts";
import { lookUp } from "./lookups.ts";
import { recordOutcome } from "./outcomes.ts";
import { askedAtNight, isCertainlyNotCharged, isPolled, nextPoll, type PollCounts, pollOf } from "./polling.ts";
import { notCharged } from "./rules.ts";

/**
 * Polls for days until the outcome is known; never charges. Poll 0 only concerns an attempt whose process may have
 * died.
 */
export async function resolvePayment(
  ctx: PaymentContext,
  { attemptId, ...counts }: z.infer<typeof PollCounts> & { readonly attemptId: string },
): Promise<void> {
  const count = pollOf(counts);
  const attempt = await findAttempt(ctx.db, { id: attemptId });
  if (!attempt || !isOpen(attempt) || (count === 0 && attempt.state !== "sent")) return;
  const now = ctx.clock.now();
  const poll = Math.max(count, 1);
  const cleanPolls = (await ask(ctx, attempt, poll)) ? poll : poll - 1;
  const after = await findAttempt(ctx.db, { id: attempt.id });
  if (after && isOpen(after) && isPolled(after.sentAt, now)) {
    await schedulePoll(ctx.db, attempt.id, cleanPolls, nextPoll(poll, now), now);
  }
}

/** Asks once, and schedules no poll. @returns the attempt afterwards */
export async function askAgain(ctx: PaymentContext, attemptId: string): Promise<AttemptRow | null> {
  const attempt = await findAttempt(ctx.db, { id: attemptId });
  if (attempt && isOpen(attempt)) await ask(ctx, attempt, 1);
  return findAttempt(ctx.db, { id: attemptId });
}

/** Asks about attempts that are no longer polled. */
export async function askAgainAtNight(ctx: PaymentContext): Promise<void> {
  for (const { id } of await listOpenSent(ctx.db, askedAtNight(ctx.clock.now()))) await askAgain(ctx, id);
}

/** False when the answer does not tell whether there is a charge. */
async function ask(ctx: PaymentContext, attempt: AttemptRow, poll: number): Promise<boolean> {
  try {
    const finding = await lookUp(ctx, attempt);
    if (finding.kind === "found") await recordOutcome(ctx, attempt.id, finding.outcome);
    else if (finding.kind === "nothing" && isCertainlyNotCharged(attempt.sentAt, poll, ctx.clock.now())) {
      await recordOutcome(ctx, attempt.id, neverMade);
    }
    return finding.kind !== "doubtful";
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error;
    ctx.log.warn({ attemptId: attempt.id, reason: error.message }, "the gateway could not be asked about a payment");
    return false;
  }
}

const neverMade = notCharged("not-found", "the gateway has no transaction with this reference");
