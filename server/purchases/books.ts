import { and, eq, gte, inArray, or, sql } from "drizzle-orm";
import { endGrantsOf } from "#server/access/access.ts";
import type { Context } from "#server/context.ts";
import type { Db } from "#server/db/db.ts";
import type { GatewayTransaction } from "#server/gateway/gateway.ts";
import { lockUser } from "#server/identity/users.ts";
import { stopRenewal } from "./memberships/memberships.ts";
import { forgetCardLater } from "./memberships/stored-cards.ts";
import { recordApproval } from "./outcomes.ts";
import { findAttempt, findPurchase, type PurchaseRow } from "./queries.ts";
import { type AttemptState, type PurchaseStatus, paymentAttempts, purchases, refunds } from "./tables.ts";

export type { AttemptState, PurchaseStatus } from "./tables.ts";

/** What our books say of attempts, for comparing them with the gateway's. */
export interface Booking {
  readonly attemptId: string;
  readonly purchaseId: string;
  readonly state: AttemptState;
  readonly purchaseStatus: PurchaseStatus;
  readonly transactionId: string | null;
  readonly invoiceNumber: string;
  readonly amountCents: number;
  readonly resolvedAt: Date | null;
  /** The gateway's numbers of what we paid back of it. */
  readonly refunded: readonly string[];
  /** A refund of it whose outcome we do not know yet. */
  readonly openRefundId: string | null;
}

/** The attempts that any of these transactions or invoices may belong to. */
export function listBookings(
  db: Db,
  of: { readonly transactionIds: readonly string[]; readonly invoiceNumbers: readonly string[] },
): Promise<Booking[]> {
  return bookings(db).where(
    or(
      inArray(paymentAttempts.transactionId, [...of.transactionIds]),
      inArray(paymentAttempts.invoiceNumber, [...of.invoiceNumbers]),
    ),
  );
}

/** The attempts that were approved since a moment and whose purchase still counts as paid. */
export function listApprovedSince(db: Db, since: Date): Promise<Booking[]> {
  return bookings(db).where(
    and(
      eq(paymentAttempts.state, "approved"),
      eq(purchases.status, "completed"),
      gte(paymentAttempts.resolvedAt, since),
    ),
  );
}

function bookings(db: Db) {
  return db
    .select({
      attemptId: paymentAttempts.id,
      purchaseId: paymentAttempts.purchaseId,
      state: paymentAttempts.state,
      purchaseStatus: purchases.status,
      transactionId: paymentAttempts.transactionId,
      invoiceNumber: paymentAttempts.invoiceNumber,
      amountCents: paymentAttempts.amount,
      resolvedAt: paymentAttempts.resolvedAt,
      refunded: sql<string[]>`array(
        select ${refunds.transactionId} from ${refunds}
        where ${refunds.attemptId} = ${paymentAttempts.id} and ${refunds.state} = 'returned')`,
      openRefundId: sql<string | null>`(
        select ${refunds.id} from ${refunds}
        where ${refunds.attemptId} = ${paymentAttempts.id} and ${refunds.state} in ('sent', 'unknown') limit 1)`,
    })
    .from(paymentAttempts)
    .innerJoin(purchases, eq(purchases.id, paymentAttempts.purchaseId));
}

/** A charge that counted as failed was made after all: the purchase completes as if it had been known at once. */
export async function recordLateApproval(
  ctx: Context,
  attemptId: string,
  transaction: GatewayTransaction,
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const found = await findAttempt(tx, { id: attemptId });
    if (!found) throw new Error(`there is no payment attempt ${attemptId}`);
    await lockUser(tx, found.userId);
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
    if (attempt) await recordApproval(tx, attempt, { ...transaction, kind: "approved" }, now);
  });
}

/** The money of a purchase is gone again: it no longer counts as paid, nothing renews, and what it opened ends now. */
export async function endPurchase(
  ctx: Context,
  purchaseId: string,
  status: "refunded" | "failed",
  reason: string,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const purchase = await findPurchase(tx, purchaseId);
    if (!purchase) throw new Error(`there is no purchase ${purchaseId}`);
    await lockUser(tx, purchase.userId);
    await endPurchaseIn(tx, purchase, status, reason, ctx.clock.now());
  });
}

/** The same in a transaction that holds the student. */
export async function endPurchaseIn(
  tx: Db,
  purchase: PurchaseRow,
  status: "refunded" | "failed",
  reason: string,
  now: Date,
): Promise<void> {
  if (purchase.isRecurring) {
    await stopRenewal(tx, purchase, reason, now);
    await forgetCardLater(tx, purchase, now);
  }
  await tx.update(purchases).set({ status }).where(eq(purchases.id, purchase.id));
  await endGrantsOf(tx, { userId: purchase.userId, purchaseId: purchase.id }, reason, now);
}

/** Takes over what the gateway charged in place of what we thought. */
export async function adoptAmount(ctx: Context, attemptId: string, amountCents: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [attempt] = await tx
      .update(paymentAttempts)
      .set({ amount: amountCents })
      .where(eq(paymentAttempts.id, attemptId))
      .returning();
    if (attempt?.kind !== "initial") return;
    await tx.update(purchases).set({ amount: amountCents }).where(eq(purchases.id, attempt.purchaseId));
  });
}
