import { and, eq, inArray, lte } from "drizzle-orm";
import { z } from "zod";
import { after, HOUR, MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { hasOpenAttempt } from "./attempts.ts";
import { listCustomers } from "./payment-methods.ts";
import { openStates } from "./states.ts";
import { cardValidations, paymentAttempts } from "./tables.ts";

/** @throws Refusal payment-in-progress. */
export async function requireNoOpenPayment(tx: Db, userId: string): Promise<void> {
  if (await hasOpenAttempt(tx, userId)) {
    throw new Refusal("payment-in-progress", "We're still confirming a payment. Please try again in a few minutes.");
  }
}

/**
 * Call before ending a purchase: an open payment would grant access afterwards.
 * @throws Refusal payment-in-progress.
 */
export async function requireNothingAwaited(tx: Db, purchaseId: string): Promise<void> {
  const isAwaited = and(eq(paymentAttempts.purchaseId, purchaseId), inArray(paymentAttempts.state, [...openStates]));
  if ((await tx.$count(paymentAttempts, isAwaited)) === 0) return;
  const message = "We're still confirming a payment for this purchase. Please try again in a few minutes.";
  throw new Refusal("payment-in-progress", message);
}

export const forgetClientsJob = defineJob("forget-clients", z.object({ userId: z.string() }), { lane: "gateway" });

/** Keeps payments for accounting. Keeps the hashed addresses of the last hour, by which declined cards are counted. */
export async function forgetPayer(tx: Db, userId: string, now: Date): Promise<void> {
  await forgetClients(tx, userId, after(now, -HOUR));
  const runAt = after(now, HOUR + MINUTE);
  await scheduleJob(tx, forgetClientsJob, { data: { userId }, key: userId, runAt, now });
}

/** Runs an hour later: deleting an account must not give a client more tries. */
export async function forgetLastClients(ctx: Context, { userId }: { userId: string }): Promise<void> {
  await forgetClients(ctx.db, userId, ctx.clock.now());
  // A card that was being stored during the deletion may have created a new customer.
  for (const customer of await listCustomers(ctx.db, userId)) await ctx.gateway.deleteCustomer(customer);
}

async function forgetClients(db: Db, userId: string, until: Date): Promise<void> {
  for (const table of [paymentAttempts, cardValidations]) {
    await db
      .update(table)
      .set({ clientHash: null })
      .where(and(eq(table.userId, userId), lte(table.sentAt, until)));
  }
}
