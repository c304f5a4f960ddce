import { eq, inArray } from "drizzle-orm";
import { listEndsOf, undoEnd } from "#server/access/grants.ts";
import { replaceAgain } from "#server/access/replaced-days.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { lockUser } from "#server/identity/users.ts";
import { type AttemptRow, findAttempt } from "#server/payments/attempts.ts";
import { isInEffect, lockPurchase, recordPaidAgain } from "#server/purchases/purchases.ts";
import { findRefund, lockRefund } from "./queries.ts";
import { giveBackHeldUp } from "./replaced.ts";
import { settleMoneyKept } from "./returned-money.ts";
import { noSuchRefund } from "./rules.ts";
import { type RefundRow, refunds } from "./tables.ts";

/** Marks a recorded refund as not made. With `opens`, restores the access that it ended, but no renewal. */
export async function reverseRefund(
  ctx: Context,
  refundId: string,
  { opens, why }: { readonly opens: boolean; readonly why: string },
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const found = await findRefund(tx, refundId);
    if (!found) throw noSuchRefund();
    await lockUser(tx, found.userId);
    const purchase = await lockPurchase(tx, found.purchaseId);
    const refund = await lockRefund(tx, refundId);
    if (refund.state !== "returned") return;
    await tx.update(refunds).set({ state: "refused", note: why }).where(eq(refunds.id, refundId));
    await settleMoneyKept(tx, purchase.id);
    if (!opens || !refund.endsAccess || isInEffect(purchase)) return;
    await recordPaidAgain(tx, purchase.id, now);
    const ends = await listEndsOf(tx, { userId: purchase.userId, purchaseId: purchase.id });
    for (const end of ends) await undoEnd(tx, end.id, why, now);
    await replaceAgain(tx, { userId: purchase.userId, purchaseId: purchase.id }, now);
    await giveBackHeldUp(tx, refund, now);
  });
}

export async function noteRefundNumber(db: Db, refundId: string, transactionId: string): Promise<void> {
  await db.update(refunds).set({ transactionId }).where(eq(refunds.id, refundId));
}

/** With the charge that it refunds. */
export async function findRecordedRefund(
  db: Db,
  refundId: string,
): Promise<{ refund: RefundRow; charge: AttemptRow } | null> {
  const refund = await findRefund(db, refundId);
  const charge = refund && (await findAttempt(db, { id: refund.attemptId }));
  return charge ? { refund, charge } : null;
}

export async function markRefundsChecked(db: Db, attemptIds: readonly string[], now: Date): Promise<void> {
  await db
    .update(refunds)
    .set({ checkedAt: now })
    .where(inArray(refunds.attemptId, [...attemptIds]));
}
