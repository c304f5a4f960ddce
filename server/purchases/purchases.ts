import { eq } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { purchases } from "./tables.ts";

export {
  findFirstPayment,
  findLastRefunded,
  findPurchase,
  isPaid,
  listPromises,
  listPurchasesOfUser,
  lockPurchase,
  type PurchaseWithPlan,
  paidPurchases,
  sumCredited,
} from "./queries.ts";
export { countsAsPaid, type PurchaseStatus, wasPaid } from "./rules.ts";
export type { PurchaseRow } from "./tables.ts";

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
