import { and, eq, inArray } from "drizzle-orm";
import { Refusal } from "#server/base/refusal.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import type { GatewayTransaction } from "#server/gateway/gateway.ts";
import { type AttemptRow, openStates } from "./attempts.ts";
import { numberReceipt } from "./receipt-numbers.ts";
import { paymentAttempts } from "./tables.ts";

/** Null unless the attempt counted as failed. */
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
  return attempt ? numberReceipt(tx, attempt) : null;
}

/** True also while a charge is in progress. */
export async function isPeriodPaid(db: Db, purchaseId: string, renewsFrom: Date): Promise<boolean> {
  const ofPeriod = and(eq(paymentAttempts.purchaseId, purchaseId), eq(paymentAttempts.renewsFrom, renewsFrom));
  const paid = and(ofPeriod, inArray(paymentAttempts.state, [...openStates, "approved"]));
  return (await db.$count(paymentAttempts, paid)) > 0;
}

/** @throws Refusal conflict when the charge belongs to another attempt. */
export async function restoreAttempt(
  tx: Db,
  of: { readonly purchaseId: string; readonly userId: string; readonly completedAt: Date | null },
  charge: GatewayTransaction,
): Promise<void> {
  const { purchaseId, userId } = of;
  const { transactionId, amountCents: amount, invoiceNumber, reference, submittedAt, card, codes } = charge;
  await requireUnrecorded(tx, charge);
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
  const [restored] = await tx
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
    .onConflictDoUpdate({ target: paymentAttempts.transactionId, set: known })
    .returning();
  if (restored) await numberReceipt(tx, restored);
}

async function requireUnrecorded(tx: Db, { transactionId }: GatewayTransaction): Promise<void> {
  const recorded = and(eq(paymentAttempts.transactionId, transactionId), eq(paymentAttempts.state, "approved"));
  if ((await tx.$count(paymentAttempts, recorded)) > 0) {
    throw new Refusal("conflict", "This charge belongs to another payment.");
  }
}

/** @throws Refusal conflict when the charge belongs to another attempt. */
export async function correctTransaction(tx: Db, attemptId: string, charge: GatewayTransaction): Promise<void> {
  await requireUnrecorded(tx, charge);
  const { transactionId, card } = charge;
  await tx
    .update(paymentAttempts)
    .set({ transactionId, ...card, note: "found by reconciliation" })
    .where(eq(paymentAttempts.id, attemptId));
}

export async function disownAttempt(tx: Db, attemptId: string, reason: string): Promise<void> {
  await tx
    .update(paymentAttempts)
    .set({ state: "not-processed", note: reason })
    .where(eq(paymentAttempts.id, attemptId));
}

/** Null when there is no such attempt. */
export async function correctAmount(tx: Db, attemptId: string, amountCents: number): Promise<AttemptRow | null> {
  const [attempt] = await tx
    .update(paymentAttempts)
    .set({ amount: amountCents })
    .where(eq(paymentAttempts.id, attemptId))
    .returning();
  return attempt ?? null;
}

export async function markChecked(db: Db, attemptIds: readonly string[], now: Date): Promise<void> {
  await db
    .update(paymentAttempts)
    .set({ checkedAt: now })
    .where(inArray(paymentAttempts.id, [...attemptIds]));
}
