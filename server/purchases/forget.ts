import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { Refusal } from "#server/refusal.ts";
import { hasOpenAttempt } from "./queries.ts";
import { paymentAttempts, purchases } from "./tables.ts";

/**
 * Keeps a student's purchases and payments for the books, without the network addresses they came from.
 * @throws Refusal payment-in-progress while it is not known what became of a payment: one may have begun since the
 *   memberships ended.
 */
export async function forgetBuyer(tx: Db, userId: string): Promise<void> {
  if (await hasOpenAttempt(tx, userId)) {
    throw new Refusal("payment-in-progress", "A payment is being confirmed. Please try again when it is.");
  }
  await tx
    .update(purchases)
    .set({ consent: sql`(${purchases.consent}::jsonb || '{"address": ""}')::json` })
    .where(and(eq(purchases.userId, userId), isNotNull(purchases.consent)));
  await tx.update(paymentAttempts).set({ clientHash: null }).where(eq(paymentAttempts.userId, userId));
}
