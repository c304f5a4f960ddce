import { eq } from "drizzle-orm";
import { decimalAmount } from "#contract/money.ts";
import type { Purchase } from "#contract/purchases/purchases.ts";
import type { Context } from "#server/context.ts";
import type { Db } from "#server/db/db.ts";
import { listPurchasesOfUser, type PurchaseWithPlan } from "./queries.ts";
import { purchases } from "./tables.ts";

export { findFirstPayment, findPlanName, findPurchase, lockPurchase, type PurchaseWithPlan } from "./queries.ts";
export type { PurchaseRow, PurchaseStatus } from "./tables.ts";

/** The student's purchases, newest first. */
export async function listPurchasesOf(ctx: Context, student: { readonly id: string }): Promise<Purchase[]> {
  return (await listPurchasesOfUser(ctx.db, student.id)).map(presentPurchase);
}

function presentPurchase(purchase: PurchaseWithPlan): Purchase {
  return {
    ...purchase,
    amount: decimalAmount(purchase.amount),
    nextBillingDate: purchase.nextBillingDate?.toISOString() ?? null,
    lastPaymentAttempt: purchase.lastPaymentAttempt?.toISOString() ?? null,
    createdAt: purchase.createdAt.toISOString(),
  };
}

/** The money of a purchase is gone again, or never came: it does not count as paid any more. */
export async function recordUnpaid(tx: Db, purchaseId: string, status: "refunded" | "failed"): Promise<void> {
  await tx.update(purchases).set({ status }).where(eq(purchases.id, purchaseId));
}

/** A purchase that was completed once counts as completed again: its grants, its days and its card are as they were. */
export async function recordPaidAgain(tx: Db, purchaseId: string): Promise<void> {
  await tx.update(purchases).set({ status: "completed", statusMessage: null }).where(eq(purchases.id, purchaseId));
}

/** What the first charge of a purchase is at the gateway. */
export async function correctFirstCharge(
  tx: Db,
  purchaseId: string,
  charge: { readonly amount: number } | { readonly transactionId: string },
): Promise<void> {
  await tx.update(purchases).set(charge).where(eq(purchases.id, purchaseId));
}
