import { z } from "zod";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { GatewayUnavailable, type PaymentProfile } from "#server/gateway/gateway.ts";
import { userById } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { findLastCharge } from "#server/payments/attempts.ts";
import { forgetCardAgain, recordForgotten, recordStored } from "#server/payments/payment-methods.ts";
import { findByPurchase, isCardAwaited, isCardInUse } from "./queries.ts";

export const keepCardJob = defineJob("keep-card", z.object({ purchaseId: z.string() }), { lane: "gateway" });

export async function keepCardLater(tx: Db, purchaseId: string, now: Date): Promise<void> {
  await scheduleJob(tx, keepCardJob, { data: { purchaseId }, key: purchaseId, runAt: now, now });
}

/** @throws Error when the gateway does not store the card, so that the job is retried. */
export async function keepCard(ctx: Context, { purchaseId }: { purchaseId: string }): Promise<void> {
  if (!(await keepMissingCard(ctx, purchaseId))) throw new Error("the gateway does not keep the card");
}

/**
 * Stores the card of the last charge at the gateway, unless the subscription has got another one meanwhile. False
 * when the gateway refuses.
 * @throws GatewayUnavailable when the outcome is unknown.
 */
export async function keepMissingCard(ctx: Context, purchaseId: string): Promise<boolean> {
  const subscription = await findByPurchase(ctx.db, purchaseId);
  if (!subscription?.isPaid || subscription.status === "cancelled") return true;
  if (subscription.card.paymentProfileId !== null) return true;
  const transactionId = (await findLastCharge(ctx.db, purchaseId))?.transactionId;
  if (!transactionId) return true;
  const { id, email, firstName, lastName } = await userById(ctx.db, subscription.userId);
  const customer = { id, email, firstName: firstName ?? "", lastName: lastName ?? "" };
  const card = await ctx.gateway.keepCardOf(transactionId, customer);
  if (card.kind === "failed" && card.why === "unknown") throw new GatewayUnavailable(card.reason);
  if (card.kind !== "kept") return false;
  await recordStored(ctx.db, subscription.card.id, card.paymentProfile);
  return true;
}

/** Deletes the card at the gateway unless a subscription uses it. Retries every hour for ever. */
export async function forgetCard(ctx: Context, card: PaymentProfile): Promise<void> {
  const { paymentProfileId } = card;
  if (await isCardInUse(ctx.db, paymentProfileId)) return;
  // A new subscription may be about to use this card.
  if (await isCardAwaited(ctx.db, paymentProfileId)) return forgetCardAgain(ctx.db, card, ctx.clock.now());
  await recordForgotten(ctx.db, paymentProfileId);
  try {
    await ctx.gateway.deleteCard(card);
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error;
    ctx.log.warn({ reason: error.message }, "the gateway did not delete a card, and will be asked again");
    await forgetCardAgain(ctx.db, card, ctx.clock.now());
  }
}
