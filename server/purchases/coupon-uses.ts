import { and, eq } from "drizzle-orm";
import { settleUse, type UseState } from "#server/coupons/coupons.ts";
import type { Db } from "#server/db/db.ts";
import { type PurchaseStatus, wasPaid } from "./rules.ts";
import { purchases } from "./tables.ts";

/**
 * Call after a purchase's status has changed. Its coupon becomes used, reserved or released, by the student's
 * purchases with it.
 */
export async function settleCoupon(tx: Db, purchaseId: string, now: Date): Promise<void> {
  const [purchase] = await tx.select().from(purchases).where(eq(purchases.id, purchaseId));
  if (!purchase || purchase.couponCode === null) return;
  const { userId, couponCode } = purchase;
  await settleCouponOf(tx, { userId, couponCode }, now);
}

/** Lock the student first. */
export async function settleCouponOf(
  tx: Db,
  of: { readonly couponCode: string; readonly userId: string },
  now: Date,
): Promise<void> {
  const withIt = await tx
    .select({ status: purchases.status })
    .from(purchases)
    .where(and(eq(purchases.userId, of.userId), eq(purchases.couponCode, of.couponCode)));
  await settleUse(tx, { ...of, state: stateOf(withIt) }, now);
}

/** A refunded purchase keeps the coupon used. */
function stateOf(withIt: readonly { readonly status: PurchaseStatus }[]): UseState {
  if (withIt.some(wasPaid)) return "used";
  return withIt.some(({ status }) => status === "pending") ? "reserved" : "released";
}
