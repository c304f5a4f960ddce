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

/** @throws Error when the gateway does not keep it, so that the job tries again. */
export async function keepCard(ctx: Context, { purchaseId }: { purchaseId: string }): Promise<void> {
  if (!(await keepMissingCard(ctx, purchaseId))) throw new Error("the gateway does not keep the card");
}

/**
 * False when the gateway refuses to keep it. A card that the subscription has got meanwhile stays.
 * @throws GatewayUnavailable when it says neither yes nor no.
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

/** A card that a subscription renews from stays. Tries every hour without end. */
export async function forgetCard(ctx: Context, card: PaymentProfile): Promise<void> {
  const { paymentProfileId } = card;
  if (await isCardInUse(ctx.db, paymentProfileId)) return;
  // A new subscription has yet to say which card it has: this, perhaps.
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
