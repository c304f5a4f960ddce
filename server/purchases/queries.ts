import { and, desc, eq, gt, inArray, ne, sql } from "drizzle-orm";
import { plans } from "#server/catalogue/tables.ts";
import type { Db } from "#server/db/db.ts";
import type { Declines } from "./rules.ts";
import { paymentAttempts, purchases } from "./tables.ts";

export type PurchaseRow = typeof purchases.$inferSelect;
export type AttemptRow = typeof paymentAttempts.$inferSelect;

export const openStates = ["sent", "unknown", "held"] as const;

export async function findAttempt(
  db: Db,
  where: { id: string } | { idempotencyKey: string },
): Promise<AttemptRow | null> {
  const condition =
    "id" in where ? eq(paymentAttempts.id, where.id) : eq(paymentAttempts.idempotencyKey, where.idempotencyKey);
  const [row] = await db.select().from(paymentAttempts).where(condition);
  return row ?? null;
}

export async function lockAttempt(tx: Db, id: string): Promise<AttemptRow> {
  const [row] = await tx.select().from(paymentAttempts).where(eq(paymentAttempts.id, id)).for("update");
  if (!row) throw new Error(`there is no payment attempt ${id}`);
  return row;
}

export async function hasOpenAttempt(db: Db, userId: string): Promise<boolean> {
  const rows = await db
    .select({ id: paymentAttempts.id })
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.userId, userId), inArray(paymentAttempts.state, [...openStates])));
  return rows.length > 0;
}

/** Declined attempts since a moment: of this student, from this network address, and all together. */
export async function countDeclines(
  db: Db,
  { userId, clientHash }: { userId: string; clientHash: string },
  since: Date,
): Promise<Declines> {
  const [row] = await db
    .select({
      ofStudent: sql<number>`count(*) filter (where ${paymentAttempts.userId} = ${userId})::int`,
      ofClient: sql<number>`count(*) filter (where ${paymentAttempts.clientHash} = ${clientHash})::int`,
      ofAll: sql<number>`count(*)::int`,
    })
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.state, "declined"), gt(paymentAttempts.sentAt, since)));
  return row ?? { ofStudent: 0, ofClient: 0, ofAll: 0 };
}

export async function findPurchase(db: Db, id: string): Promise<(PurchaseRow & { planName: string }) | null> {
  const [row] = await withPlan(db).where(eq(purchases.id, id));
  return row ? { ...row.purchase, planName: row.planName } : null;
}

export async function listPurchasesOfUser(db: Db, userId: string): Promise<(PurchaseRow & { planName: string })[]> {
  const rows = await withPlan(db)
    .where(eq(purchases.userId, userId))
    .orderBy(desc(purchases.createdAt), desc(purchases.id));
  return rows.map((row) => ({ ...row.purchase, planName: row.planName }));
}

function withPlan(db: Db) {
  return db
    .select({ purchase: purchases, planName: plans.name })
    .from(purchases)
    .innerJoin(plans, eq(plans.id, purchases.planId));
}

/** When the student last completed a purchase, or null. */
export async function lastCompletedAt(db: Db, userId: string): Promise<Date | null> {
  const [row] = await db
    .select({ completedAt: purchases.completedAt })
    .from(purchases)
    .where(and(eq(purchases.userId, userId), eq(purchases.status, "completed")))
    .orderBy(desc(purchases.completedAt))
    .limit(1);
  return row?.completedAt ?? null;
}

/** Stops the renewal of every other subscription of the student: one person pays for one at a time. */
export async function cancelOtherSubscriptions(db: Db, userId: string, purchaseId: string): Promise<void> {
  await db
    .update(purchases)
    .set({ subscriptionStatus: "cancelled", nextBillingDate: null })
    .where(
      and(
        eq(purchases.userId, userId),
        eq(purchases.isRecurring, true),
        ne(purchases.id, purchaseId),
        ne(purchases.subscriptionStatus, "cancelled"),
      ),
    );
}
