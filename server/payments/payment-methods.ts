import { and, eq, isNull } from "drizzle-orm";
import { z } from "zod";
import { after, HOUR, MINUTE } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { type CardMarks, GatewayUnavailable, type PaymentProfile } from "#server/gateway/gateway.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { type PaymentMethodRow, paymentMethods } from "./tables.ts";

export type { PaymentMethodRow } from "./tables.ts";

const paymentProfile = z.object({ customerProfileId: z.string(), paymentProfileId: z.string() });
export const forgetCardJob = defineJob("forget-payment-method", paymentProfile, { lane: "gateway" });

/** Profile ids are null until the gateway has stored the card. */
export async function addPaymentMethod(
  tx: Db,
  card: Omit<typeof paymentMethods.$inferInsert, "id" | "createdAt">,
  now: Date,
): Promise<PaymentMethodRow> {
  const [row] = await tx
    .insert(paymentMethods)
    .values({ ...card, createdAt: now })
    .returning();
  if (!row) throw new Error("an insert returned no row");
  return row;
}

/** Does not change a card that has its ids already. */
export async function recordStored(db: Db, id: string, card: PaymentProfile): Promise<void> {
  const { customerProfileId, paymentProfileId } = card;
  await db
    .update(paymentMethods)
    .set({ customerProfileId, paymentProfileId })
    .where(and(eq(paymentMethods.id, id), isNull(paymentMethods.paymentProfileId)));
}

export async function recordMarks(db: Db, id: string, { brand, last4 }: CardMarks): Promise<void> {
  await db.update(paymentMethods).set({ brand, last4 }).where(eq(paymentMethods.id, id));
}

export async function recordForgotten(db: Db, paymentProfileId: string): Promise<void> {
  await db
    .update(paymentMethods)
    .set({ paymentProfileId: null })
    .where(eq(paymentMethods.paymentProfileId, paymentProfileId));
}

export async function listCustomers(db: Db, userId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectDistinct({ customer: paymentMethods.customerProfileId })
    .from(paymentMethods)
    .where(eq(paymentMethods.userId, userId));
  return new Set(rows.flatMap(({ customer }) => customer ?? []));
}

/** Runs a minute later, because declined students often try the same card again, which the gateway then still knows. */
export async function forgetCardLater(
  tx: Db,
  { customerProfileId, paymentProfileId }: Pick<PaymentMethodRow, "customerProfileId" | "paymentProfileId">,
  now: Date,
): Promise<void> {
  if (customerProfileId === null || paymentProfileId === null) return;
  const data: PaymentProfile = { customerProfileId, paymentProfileId };
  await scheduleJob(tx, forgetCardJob, { data, key: paymentProfileId, runAt: after(now, MINUTE), now });
}

/** Retries in an hour, for ever: giving up would leave the card at the gateway. */
export async function forgetCardAgain(db: Db, card: PaymentProfile, now: Date): Promise<void> {
  const runAt = after(now, HOUR);
  const key = `${card.paymentProfileId}:${runAt.getTime()}`;
  await scheduleJob(db, forgetCardJob, { data: card, key, runAt, now });
}

/** Empty when the gateway is unavailable. */
export async function marksOf(ctx: Context, card: PaymentProfile): Promise<CardMarks> {
  const unknown = { brand: null, last4: null };
  try {
    return (await ctx.gateway.findCard(card)) ?? unknown;
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error;
    ctx.log.warn({ reason: error.message }, "a stored card could not be read");
    return unknown;
  }
}
