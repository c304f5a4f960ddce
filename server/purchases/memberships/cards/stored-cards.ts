import { eq } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import type { Db } from "#server/db/db.ts";
import { type CardMarks, GatewayUnavailable, type StoredCard } from "#server/gateway/gateway.ts";
import { userById } from "#server/identity/users.ts";
import { enqueueJob } from "#server/jobs/jobs.ts";
import { findPurchase, isCardInUse, type PurchaseRow } from "../../queries.ts";
import { findLastCharge } from "../../refunds/queries.ts";
import { purchases } from "../../tables.ts";

/** Has the gateway keep the card of the newest charge after all, where keeping it with the charge failed. */
export async function keepCardLater(tx: Db, purchase: PurchaseRow, now: Date): Promise<void> {
  await enqueueJob(tx, { name: "keep-card", data: { purchaseId: purchase.id }, key: purchase.id, runAt: now, now });
}

/** The job behind `keepCardLater`. @throws Error when the gateway does not keep it, so that it is tried again. */
export async function keepCard(ctx: Context, { purchaseId }: { purchaseId: string }): Promise<void> {
  const purchase = await findPurchase(ctx.db, purchaseId);
  if (purchase?.status !== "completed" || purchase.paymentProfileId !== null) return;
  const transactionId = (await findLastCharge(ctx.db, purchaseId))?.transactionId;
  if (!transactionId) return;
  const { id, email, firstName, lastName } = await userById(ctx.db, purchase.userId);
  const customer = { id, email, firstName: firstName ?? "", lastName: lastName ?? "" };
  const card = await ctx.gateway.keepCardOf(transactionId, customer);
  if (card.kind !== "kept") throw new Error("the gateway does not keep the card");
  await ctx.db.update(purchases).set(card.storedCard).where(eq(purchases.id, purchaseId));
}

/** Has the gateway forget the card of a purchase, once nothing is charged to it any more. */
export async function forgetCardLater(
  tx: Db,
  { customerProfileId, paymentProfileId }: Pick<PurchaseRow, "customerProfileId" | "paymentProfileId">,
  now: Date,
): Promise<void> {
  if (customerProfileId === null || paymentProfileId === null) return;
  const data: StoredCard = { customerProfileId, paymentProfileId };
  await enqueueJob(tx, { name: "forget-card", data, key: paymentProfileId, runAt: now, now });
}

/** The job behind `forgetCardLater`; a card that another membership renews from stays. */
export async function forgetCard(ctx: Context, card: StoredCard): Promise<void> {
  if (!(await isCardInUse(ctx.db, card.paymentProfileId))) await ctx.gateway.deleteCard(card);
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
