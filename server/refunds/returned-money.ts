import { accessOf } from "#server/access/access.ts";
import { closeGaps, endGrantsOf } from "#server/access/grants.ts";
import type { Db } from "#server/db/db.ts";
import { postEmail } from "#server/mail/student-emails.ts";
import type { AttemptRow } from "#server/payments/attempts.ts";
import { forgetCardLater } from "#server/payments/payment-methods.ts";
import { renews } from "#server/purchases/periods.ts";
import { type PurchaseRow, recordUnpaid } from "#server/purchases/purchases.ts";
import { scheduleReminders } from "#server/subscriptions/expiry.ts";
import { findByPurchase, moveEndedPeriod, stopRenewal } from "#server/subscriptions/subscriptions.ts";
import { paymentLostEmail, refundedEmail } from "./emails.ts";
import { giveBackReplaced, isReplaced } from "./replaced.ts";
import type { RefundRow } from "./tables.ts";

/** Returned by us, taken back by the card holder's bank, or never received. */
export type LossCause = "returned" | "charged-back" | "never-paid";

export async function emailRefund(
  tx: Db,
  returned: {
    readonly refund: RefundRow;
    readonly charge: AttemptRow;
    readonly planName: string;
    readonly cause: LossCause;
  },
  now: Date,
): Promise<void> {
  const { refund, charge, planName, cause } = returned;
  const { userId, id: occasion, amount: amountCents, kind, transactionId, endsAccess } = refund;
  const { tier, until } = await accessOf(tx, userId, now);
  const known = { planName, amountCents, accessAfter: { tier, until } };
  if (cause !== "returned") {
    return postEmail(tx, paymentLostEmail, { userId, occasion, facts: { ...known, cause, endsAccess } }, now);
  }
  const card = { brand: charge.brand, last4: charge.last4 };
  const facts = { ...known, paidCents: charge.amount, refundedAt: now, card, transactionId, kind, endsAccess };
  await postEmail(tx, refundedEmail, { userId, occasion, facts }, now);
}

/**
 * Ends the purchase with its renewal and access. Gives back the days that it replaced, and moves later periods
 * forward. Lock the student first.
 */
export async function endPurchase(
  tx: Db,
  purchase: PurchaseRow,
  status: "refunded" | "failed",
  reason: string,
  now: Date,
): Promise<void> {
  const subscription = await findByPurchase(tx, purchase.id);
  if (subscription) {
    await stopRenewal(tx, subscription, reason, now);
    await forgetCardLater(tx, subscription.card, now);
  }
  await recordUnpaid(tx, purchase.id, status, now);
  const { userId, tier } = purchase;
  await endGrantsOf(tx, { userId, purchaseId: purchase.id }, reason, now);
  for (const { grant, ...period } of await closeGaps(tx, { userId, tier }, now)) {
    if (!renews(grant.tier)) await scheduleReminders(tx, userId, period.endsAt, now);
    else if (grant.purchaseId !== null) await moveEndedPeriod(tx, grant.purchaseId, period);
  }
  // If another plan replaced it, its days and those that it replaced are part of that plan's credit.
  if (!(await isReplaced(tx, purchase))) await giveBackReplaced(tx, purchase, now);
}
