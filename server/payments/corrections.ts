import { and, eq, inArray } from "drizzle-orm";
import { Refusal } from "#server/base/refusal.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import type { GatewayTransaction } from "#server/gateway/gateway.ts";
import { type AttemptRow, openStates } from "./attempts.ts";
import { paymentAttempts } from "./tables.ts";

/** A charge that counted as failed was made after all. The attempt as it is now; null when it did not count as failed. */
export async function approveFailed(
  tx: Db,
  attemptId: string,
  transaction: GatewayTransaction,
  now: Date,
): Promise<AttemptRow | null> {
  const [attempt] = await tx
    .update(paymentAttempts)
    .set({
      state: "approved",
      transactionId: transaction.transactionId,
      last4: transaction.card.last4,
      brand: transaction.card.brand,
      note: "found by reconciliation",
      resolvedAt: now,
    })
    .where(and(eq(paymentAttempts.id, attemptId), inArray(paymentAttempts.state, ["declined", "not-processed"])))
    .returning();
  return attempt ?? null;
}

/** Whether a period is paid by a charge, or may be by one under way. */
export async function isPeriodPaid(db: Db, purchaseId: string, renewsFrom: Date): Promise<boolean> {
  const ofPeriod = and(eq(paymentAttempts.purchaseId, purchaseId), eq(paymentAttempts.renewsFrom, renewsFrom));
  const paid = and(ofPeriod, inArray(paymentAttempts.state, [...openStates, "approved"]));
  return (await db.$count(paymentAttempts, paid)) > 0;
}

/**
 * Gives a purchase the first attempt that the gateway has of it.
 * @throws Refusal conflict when that charge belongs to another attempt.
 */
export async function restoreAttempt(
  tx: Db,
  of: { readonly purchaseId: string; readonly userId: string; readonly completedAt: Date | null },
  charge: GatewayTransaction,
): Promise<void> {
  const { purchaseId, userId } = of;
  const { transactionId, amountCents: amount, invoiceNumber, reference, submittedAt, card, codes } = charge;
  const booked = and(eq(paymentAttempts.transactionId, transactionId), eq(paymentAttempts.state, "approved"));
  if ((await tx.$count(paymentAttempts, booked)) > 0) {
    throw new Refusal("conflict", "This charge belongs to another payment.");
  }
  const known = {
    amount,
    transactionId,
    state: "approved" as const,
    responseCode: codes.response,
    reasonCode: codes.reason,
    ...card,
    note: "restored by reconciliation",
    resolvedAt: of.completedAt ?? submittedAt,
  };
  await tx
    .insert(paymentAttempts)
    .values({
      ...known,
      purchaseId,
      userId,
      kind: "initial",
      idempotencyKey: `restored:${purchaseId}`,
      reference: reference ?? newId(),
      invoiceNumber: invoiceNumber ?? purchaseId,
      sentAt: submittedAt,
    })
    .onConflictDoUpdate({ target: paymentAttempts.transactionId, set: known });
}

/** Records that the gateway does not have the charge of an attempt. */
export async function disownAttempt(tx: Db, attemptId: string, reason: string): Promise<void> {
  await tx
    .update(paymentAttempts)
    .set({ state: "not-processed", note: reason })
    .where(eq(paymentAttempts.id, attemptId));
}

/** Adopts the amount that the gateway charged. Returns the attempt as it is now; null when there is none. */
export async function correctAmount(tx: Db, attemptId: string, amountCents: number): Promise<AttemptRow | null> {
  const [attempt] = await tx
    .update(paymentAttempts)
    .set({ amount: amountCents })
    .where(eq(paymentAttempts.id, attemptId))
    .returning();
  return attempt ?? null;
}

/** Notes when the gateway was last asked about a charge. */
export async function markChecked(db: Db, attemptId: string, now: Date): Promise<void> {
  await db.update(paymentAttempts).set({ checkedAt: now }).where(eq(paymentAttempts.id, attemptId));
}
