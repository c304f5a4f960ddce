import { and, asc, desc, eq, inArray, or, sql } from "drizzle-orm";
import { planNameAt } from "#server/catalogue/catalogue.ts";
import { plans } from "#server/catalogue/tables.ts";
import type { Db } from "#server/db/db.ts";
import { users } from "#server/identity/tables.ts";
import { isCharge } from "#server/payments/attempts.ts";
import { paymentAttempts } from "#server/payments/tables.ts";
import { purchases } from "#server/purchases/tables.ts";
import { type RefundRow, refunds } from "#server/refunds/tables.ts";

export type ChargeRow = Awaited<ReturnType<typeof listCharges>>[number];

export function listCharges(db: Db, userId: string) {
  return charges(db)
    .where(and(eq(paymentAttempts.userId, userId), isCharge))
    .orderBy(desc(paymentAttempts.sentAt), desc(paymentAttempts.id));
}

/** By its own id, or by that of the purchase whose first one it is. */
export async function findCharge(db: Db, id: string, userId: string | undefined): Promise<ChargeRow | null> {
  const firstOfPurchase = and(eq(paymentAttempts.purchaseId, id), eq(paymentAttempts.kind, "initial"));
  const [row] = await charges(db)
    .where(
      and(
        or(eq(paymentAttempts.id, id), firstOfPurchase),
        isCharge,
        userId === undefined ? undefined : eq(paymentAttempts.userId, userId),
      ),
    )
    .limit(1);
  return row ?? null;
}

/** Refunds under way too, the oldest first. */
export async function listRefundsOf(db: Db, attemptIds: readonly string[]): Promise<RefundRow[]> {
  if (attemptIds.length === 0) return [];
  return db
    .select()
    .from(refunds)
    .where(inArray(refunds.attemptId, [...attemptIds]))
    .orderBy(asc(refunds.sentAt));
}

function charges(db: Db) {
  const paidAt = sql`coalesce(${paymentAttempts.resolvedAt}, ${paymentAttempts.sentAt})`;
  return db
    .select({ attempt: paymentAttempts, purchase: purchases, planName: planNameAt(db, paidAt), buyer: users })
    .from(paymentAttempts)
    .innerJoin(purchases, eq(purchases.id, paymentAttempts.purchaseId))
    .innerJoin(plans, eq(plans.id, purchases.planId))
    .innerJoin(users, eq(users.id, paymentAttempts.userId));
}
