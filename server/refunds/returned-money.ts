import { dollarsOf } from "#contract/money.ts";
import { renews } from "#contract/tiers.ts";
import { accessOf } from "#server/access/access.ts";
import { closeGaps, endGrantsOf } from "#server/access/grants.ts";
import type { Db } from "#server/db/db.ts";
import { recordEvent } from "#server/deliveries/events.ts";
import { postEmail } from "#server/mail/student-emails.ts";
import { type AttemptRow, sumCharged } from "#server/payments/attempts.ts";
import { forgetCardLater } from "#server/payments/payment-methods.ts";
import { type PurchaseRow, recordEnded, recordFailed, recordMoneyKept } from "#server/purchases/purchases.ts";
import { scheduleReminders } from "#server/subscriptions/expiry.ts";
import { findByPurchase, moveEndedPeriod, stopRenewal } from "#server/subscriptions/subscriptions.ts";
import { paymentLostEmail, refundedEmail } from "./emails.ts";
import { sumReturned } from "./queries.ts";
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
  const { userId, id: occasion, amount: amountCents, kind, transactionId, endsAccess, accessKeptUntil } = refund;
  await recordEvent(
    tx,
    refund.isDispute ? "purchase.disputed" : "purchase.refunded",
    { id: refund.purchaseId, userId, refundId: occasion, amount: dollarsOf(amountCents), endsAccess },
    now,
  );
  const { tier, until } = await accessOf(tx, userId, now);
  const known = { planName, amountCents, accessAfter: { tier, until } };
  if (cause !== "returned") {
    return postEmail(tx, paymentLostEmail, { userId, occasion, facts: { ...known, cause, endsAccess } }, now);
  }
  const card = { brand: charge.brand, last4: charge.last4 };
  const stopsRenewal = accessKeptUntil !== null && (await findByPurchase(tx, refund.purchaseId)) !== null;
  const what = { transactionId, kind, endsAccess, stopsRenewal };
  const facts = { ...known, ...what, paidCents: charge.amount, refundedAt: now, card };
  await postEmail(tx, refundedEmail, { userId, occasion, facts }, now);
}

/** Call when a refund is recorded, or no longer counts as made. */
export async function settleMoneyKept(tx: Db, purchaseId: string): Promise<void> {
  const charged = (await sumCharged(tx, [purchaseId])).get(purchaseId) ?? 0;
  const returned = (await sumReturned(tx, "purchaseId", [purchaseId])).get(purchaseId) ?? 0;
  await recordMoneyKept(tx, purchaseId, returned < charged);
}

/** Stops the renewal after a refund that keeps the access until the paid end. Lock the student first. */
export async function endRenewal(tx: Db, purchaseId: string, now: Date): Promise<void> {
  const subscription = await findByPurchase(tx, purchaseId);
  if (!subscription) return;
  await stopRenewal(tx, subscription, "refunded, and open until the paid end", now);
  if (subscription.currentPeriodEnd <= now) await forgetCardLater(tx, subscription.card, now);
}

/**
 * Ends the purchase with its renewal and access. Gives back the days that it replaced, and moves later periods
 * forward. Lock the student first, and record the refund before.
 */
export async function endPurchase(
  tx: Db,
  purchase: PurchaseRow,
  as: "ended" | "failed",
  reason: string,
  now: Date,
): Promise<void> {
  const subscription = await findByPurchase(tx, purchase.id);
  if (subscription) {
    await stopRenewal(tx, subscription, reason, now);
    await forgetCardLater(tx, subscription.card, now);
  }
  if (as === "failed") await recordFailed(tx, purchase.id, now);
  else await recordEnded(tx, purchase.id);
  const { userId, tier } = purchase;
  await endGrantsOf(tx, { userId, purchaseId: purchase.id }, reason, now);
  for (const { grant, ...period } of await closeGaps(tx, { userId, tier }, now)) {
    if (!renews(grant.tier)) await scheduleReminders(tx, userId, period.endsAt, now);
    else if (grant.purchaseId !== null) await moveEndedPeriod(tx, grant.purchaseId, period);
  }
  // If another plan replaced it, its days and those that it replaced are part of that plan's credit.
  if (!(await isReplaced(tx, purchase))) await giveBackReplaced(tx, purchase, now);
}
