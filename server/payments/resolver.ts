import type { z } from "zod";
import { GatewayUnavailable } from "#server/gateway/gateway.ts";
import { findAttempt, isOpen, schedulePoll } from "./attempts.ts";
import type { PaymentContext } from "./handlers.ts";
import { lookUp } from "./lookups.ts";
import { recordOutcome } from "./outcomes.ts";
import { isCertainlyNotCharged, nextPoll, type PollCounts, pollOf } from "./polling.ts";
import { notCharged } from "./rules.ts";

/** Polls until the outcome is known; never charges. Poll 0 is for an attempt whose process may have died. */
export async function resolvePayment(
  ctx: PaymentContext,
  { attemptId, ...counts }: z.infer<typeof PollCounts> & { readonly attemptId: string },
): Promise<void> {
  const count = pollOf(counts);
  const attempt = await findAttempt(ctx.db, { id: attemptId });
  if (!attempt || !isOpen(attempt) || (count === 0 && attempt.state !== "sent")) return;
  const now = ctx.clock.now();
  const poll = Math.max(count, 1);
  let cleanPolls = poll;
  try {
    const finding = await lookUp(ctx, attempt);
    if (finding.kind === "found") await recordOutcome(ctx, attempt.id, finding.outcome);
    else if (finding.kind === "doubtful") cleanPolls = poll - 1;
    else if (isCertainlyNotCharged(attempt.sentAt, poll, now)) await recordOutcome(ctx, attempt.id, neverMade);
  } catch (error) {
    // Not counted: what the gateway could not answer says nothing about the charge.
    if (!(error instanceof GatewayUnavailable)) throw error;
    ctx.log.warn({ attemptId: attempt.id, reason: error.message }, "the gateway could not be asked about a payment");
    cleanPolls = poll - 1;
  }
  const after = await findAttempt(ctx.db, { id: attempt.id });
  if (after && isOpen(after)) await schedulePoll(ctx.db, attempt.id, cleanPolls, nextPoll(poll, now), now);
}

const neverMade = notCharged("not-found", "the gateway has no transaction with this reference");
