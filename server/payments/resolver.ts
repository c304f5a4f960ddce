import type { Context } from "#server/context.ts";
import { type ChargeOutcome, GatewayUnavailable } from "#server/gateway/gateway.ts";
import { findAttempt, isOpen, planLook } from "./attempts.ts";
import { lookUp } from "./lookups.ts";
import { recordOutcome } from "./outcomes.ts";
import { isCertainlyNotCharged, nextLook } from "./polling.ts";

/**
 * The job that finds out what became of an attempt whose answer was lost: it asks the gateway for what stands under the
 * attempt's invoice, and asks again later until it knows. It never charges. `look` counts its looks; 0
 * is for an attempt whose process may have died, and leaves every other one to the looks of its own.
 */
export async function resolvePayment(ctx: Context, data: { attemptId: string; look: number }): Promise<void> {
  const attempt = await findAttempt(ctx.db, { id: data.attemptId });
  if (!attempt || !isOpen(attempt) || (data.look === 0 && attempt.state !== "sent")) return;
  const now = ctx.clock.now();
  const look = Math.max(data.look, 1);
  let cleanLooks = look;
  try {
    const finding = await lookUp(ctx, attempt);
    if (finding.kind === "found") await recordOutcome(ctx, attempt.id, finding.outcome);
    else if (finding.kind === "doubtful") cleanLooks = look - 1;
    else if (isCertainlyNotCharged(attempt.sentAt, look, now)) await recordOutcome(ctx, attempt.id, neverMade);
  } catch (error) {
    // Not a look: what the gateway could not answer says nothing about the charge.
    if (!(error instanceof GatewayUnavailable)) throw error;
    ctx.log.warn({ attemptId: attempt.id, reason: error.message }, "the gateway could not be asked about a payment");
    cleanLooks = look - 1;
  }
  const after = await findAttempt(ctx.db, { id: attempt.id });
  if (after && isOpen(after)) await planLook(ctx.db, attempt.id, cleanLooks, nextLook(look, now), now);
}

const neverMade: ChargeOutcome = {
  kind: "not-processed",
  cause: "not-found",
  message: "The payment did not go through. Your card was not charged.",
  reason: "the gateway has no transaction with this reference",
  codes: { response: null, reason: null, avs: null, cvv: null },
};
