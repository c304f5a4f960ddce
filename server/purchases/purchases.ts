import { eq } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { settleCoupon } from "./coupon-uses.ts";
import { lockPurchase } from "./queries.ts";
import { wasPaid, withMoneyKept } from "./rules.ts";
import { purchases } from "./tables.ts";

export { settleCouponOf } from "./coupon-uses.ts";
export {
  findFirstPayment,
  findLastRefunded,
  findPromise,
  findPurchase,
  isCompleted,
  listOtherPromises,
  listPurchasesOfUser,
  listUnsettledUses,
  lockPurchase,
  nameOfSoldPlan,
  type PurchaseWithPlan,
  purchasesInEffect,
  sumCredited,
} from "./queries.ts";
export { coveredUntil, listReplacedPurchases } from "./refund-policy.ts";
export { type AgreedPrices, agreedPrices, isInEffect, laterOf, type PurchaseStatus, wasPaid } from "./rules.ts";
export type { PurchaseRow } from "./tables.ts";

/** Call after a refund or a charge. `isKept`: something of its charges has not gone back. */
export async function recordMoneyKept(tx: Db, purchaseId: string, isKept: boolean): Promise<void> {
  const purchase = await lockPurchase(tx, purchaseId);
  if (!wasPaid(purchase)) return;
  await tx.update(purchases).set(withMoneyKept(purchase, isKept)).where(eq(purchases.id, purchaseId));
}

/** A purchase whose money is kept stays completed, and gives no access. */
export async function recordEnded(tx: Db, purchaseId: string): Promise<void> {
  const { status } = await lockPurchase(tx, purchaseId);
  const givesAccess = status === "completed" ? false : null;
  await tx.update(purchases).set({ givesAccess }).where(eq(purchases.id, purchaseId));
}

/** Marks a purchase as never paid. */
export async function recordFailed(tx: Db, purchaseId: string, now: Date): Promise<void> {
  await tx.update(purchases).set({ status: "failed", givesAccess: null }).where(eq(purchases.id, purchaseId));
  await settleCoupon(tx, purchaseId, now);
}

/** Does not restore grants, replaced days or the card. */
export async function recordPaidAgain(tx: Db, purchaseId: string, now: Date): Promise<void> {
  const paid = { status: "completed", statusMessage: null, givesAccess: null } as const;
  await tx.update(purchases).set(paid).where(eq(purchases.id, purchaseId));
  await settleCoupon(tx, purchaseId, now);
}

export async function correctFirstCharge(
  tx: Db,
  purchaseId: string,
  charge: { readonly amount: number } | { readonly transactionId: string },
): Promise<void> {
  await tx.update(purchases).set(charge).where(eq(purchases.id, purchaseId));
}
