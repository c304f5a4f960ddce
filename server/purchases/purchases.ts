import { eq } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { settleCoupon } from "./coupon-uses.ts";
import { purchases } from "./tables.ts";

export { settleCouponOf } from "./coupon-uses.ts";
export {
  findFirstPayment,
  findLastRefunded,
  findPurchase,
  isPaid,
  listOtherPromises,
  listPromises,
  listPurchasesOfUser,
  listUnsettledUses,
  lockPurchase,
  type PurchaseWithPlan,
  purchasesInEffect,
  sumCredited,
} from "./queries.ts";
export { agreedRenewal, isInEffect, type PurchaseStatus, wasPaid } from "./rules.ts";
export type { PurchaseRow } from "./tables.ts";

/** Marks a purchase as no longer paid, or never paid. */
export async function recordUnpaid(
  tx: Db,
  purchaseId: string,
  status: "refunded" | "failed",
  now: Date,
): Promise<void> {
  await tx.update(purchases).set({ status }).where(eq(purchases.id, purchaseId));
  await settleCoupon(tx, purchaseId, now);
}

/** Does not restore grants, replaced days or the card. */
export async function recordPaidAgain(tx: Db, purchaseId: string, now: Date): Promise<void> {
  await tx.update(purchases).set({ status: "completed", statusMessage: null }).where(eq(purchases.id, purchaseId));
  await settleCoupon(tx, purchaseId, now);
}

export async function correctFirstCharge(
  tx: Db,
  purchaseId: string,
  charge: { readonly amount: number } | { readonly transactionId: string },
): Promise<void> {
  await tx.update(purchases).set(charge).where(eq(purchases.id, purchaseId));
}
