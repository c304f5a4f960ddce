import { z } from "zod";
import { after, MINUTE } from "#server/clock.ts";
import type { Context } from "#server/context.ts";
import type { Db } from "#server/db/db.ts";
import { type CardMarks, GatewayUnavailable, type StoredCard } from "#server/gateway/gateway.ts";
import { userById } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { findLastCharge } from "#server/payments/attempts.ts";
import { findPurchase, type PurchaseRow } from "#server/purchases/purchases.ts";
import { addMissingCard, isCardAwaited, isCardInUse, removeCard } from "./queries.ts";

export const keepCardJob = defineJob("keep-card", z.object({ purchaseId: z.string() }), { lane: "gateway" });
export const forgetCardJob = defineJob(
  "forget-card",
  z.object({ customerProfileId: z.string(), paymentProfileId: z.string() }),
  { lane: "gateway" },
);

/** Has the gateway keep the card of the newest charge after all, where keeping it with the charge failed. */
export async function keepCardLater(tx: Db, purchaseId: string, now: Date): Promise<void> {
  await scheduleJob(tx, keepCardJob, { data: { purchaseId }, key: purchaseId, runAt: now, now });
}

/** The job behind `keepCardLater`. @throws Error when the gateway does not keep it, so that it is tried again. */
export async function keepCard(ctx: Context, { purchaseId }: { purchaseId: string }): Promise<void> {
  if (!(await keepMissingCard(ctx, purchaseId))) throw new Error("the gateway does not keep the card");
}

/**
 * Has the gateway keep the card of the newest charge now, if a subscription that renews has none. False when the gateway
 * does not; whatever card the subscription has got meanwhile stays.
 */
export async function keepMissingCard(ctx: Context, purchaseId: string): Promise<boolean> {
  const purchase = await findPurchase(ctx.db, purchaseId);
  if (purchase?.status !== "completed" || purchase.subscriptionStatus === "cancelled") return true;
  if (purchase.paymentProfileId !== null) return true;
  const transactionId = (await findLastCharge(ctx.db, purchaseId))?.transactionId;
  if (!transactionId) return true;
  const { id, email, firstName, lastName } = await userById(ctx.db, purchase.userId);
  const customer = { id, email, firstName: firstName ?? "", lastName: lastName ?? "" };
  const card = await ctx.gateway.keepCardOf(transactionId, customer);
  if (card.kind !== "kept") return false;
  await addMissingCard(ctx.db, purchaseId, card.storedCard);
  return true;
}

/**
 * Has the gateway forget the card of a purchase, once nothing is charged to it any more. In a minute only: who cancels
 * or is declined often comes back at once with the same card, which the gateway knows for the same as long as it has it.
 */
export async function forgetCardLater(
  tx: Db,
  { customerProfileId, paymentProfileId }: Pick<PurchaseRow, "customerProfileId" | "paymentProfileId">,
  now: Date,
): Promise<void> {
  if (customerProfileId === null || paymentProfileId === null) return;
  const data: StoredCard = { customerProfileId, paymentProfileId };
  await scheduleJob(tx, forgetCardJob, { data, key: paymentProfileId, runAt: after(now, MINUTE), now });
}

/**
 * The job behind `forgetCardLater`; a card that a subscription renews from stays. A cancelled one has none from then on:
 * who resumes it has the card kept anew.
 * @throws Error while a subscription waits for its card, which may turn out to be this one: it is tried again.
 */
export async function forgetCard(ctx: Context, card: StoredCard): Promise<void> {
  const { paymentProfileId } = card;
  if (await isCardInUse(ctx.db, paymentProfileId)) return;
  if (await isCardAwaited(ctx.db, paymentProfileId))
    throw new Error("a new subscription has yet to say which card it has");
  await removeCard(ctx.db, paymentProfileId);
  await ctx.gateway.deleteCard(card);
}

/** What may be shown of a stored card; nothing when the gateway cannot be asked. */
export async function marksOf(ctx: Context, card: StoredCard): Promise<CardMarks> {
  const unknown = { brand: null, last4: null };
  try {
    return (await ctx.gateway.findCard(card)) ?? unknown;
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error;
    ctx.log.warn({ reason: error.message }, "a stored card could not be looked at");
    return unknown;
  }
}
