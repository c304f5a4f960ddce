import { tierRank } from "#contract/tiers.ts";
import { accessWithout } from "#server/access/access.ts";
import { nextStart, recordGrant } from "#server/access/grants.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import type { GatewayTransaction } from "#server/gateway/gateway.ts";
import { deleted, lockUser } from "#server/identity/users.ts";
import { type AttemptRow, findAttempt, listCharges, lockAttempt } from "#server/payments/attempts.ts";
import {
  approveFailed,
  correctAmount,
  correctTransaction,
  disownAttempt,
  isPeriodPaid,
  restoreAttempt as restoreAttemptOf,
} from "#server/payments/corrections.ts";
import { requireNothingAwaited } from "#server/payments/forget.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { recordOutcome } from "#server/payments/outcomes.ts";
import { periodEnd } from "#server/purchases/periods.ts";
import {
  correctFirstCharge,
  findPurchase,
  isInEffect,
  lockPurchase,
  type PurchaseRow,
  recordPaidAgain,
} from "#server/purchases/purchases.ts";
import { endPurchase, settleMoneyKept } from "#server/refunds/returned-money.ts";
import { cancelSubscription, correctPrice, findByPurchase, startOfPaid } from "#server/subscriptions/subscriptions.ts";

/** Records the charge as the attempt's. False as in `recordLateApproval`. */
export async function adoptCharge(
  ctx: PaymentContext,
  attemptId: string,
  transaction: GatewayTransaction,
): Promise<boolean> {
  const recorded = await recordOutcome(ctx, attemptId, { ...transaction, kind: "approved" });
  if (recorded.state === "approved") return recorded.transactionId === transaction.transactionId;
  return recordLateApproval(ctx, attemptId, transaction);
}

/**
 * Completes the purchase or renewal of an attempt that counted as failed. False when there is nothing to complete:
 * another charge paid for the same since, a renewal's purchase has ended, or the account was deleted.
 */
export async function recordLateApproval(
  ctx: PaymentContext,
  attemptId: string,
  transaction: GatewayTransaction,
): Promise<boolean> {
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const found = await findAttempt(tx, { id: attemptId });
    if (!found) throw new Error(`there is no payment attempt ${attemptId}`);
    const { accountStatus } = await lockUser(tx, found.userId);
    if (accountStatus === deleted || (await isPaidOtherwise(tx, found, now))) return false;
    const attempt = await approveFailed(tx, attemptId, transaction, now);
    if (attempt) await complete(ctx, tx, attempt, transaction, now);
    return true;
  });
}

/** Whether another charge paid for it, or the student has its tier by other purchases. */
async function isPaidOtherwise(tx: Db, attempt: AttemptRow, now: Date): Promise<boolean> {
  const { purchaseId, renewsFrom } = attempt;
  const purchase = await lockPurchase(tx, purchaseId);
  if (renewsFrom !== null && (!isInEffect(purchase) || (await isPeriodPaid(tx, purchaseId, renewsFrom)))) return true;
  const { tier: owned } = await accessWithout(tx, attempt.userId, purchaseId, now);
  return owned !== null && tierRank(owned) >= tierRank(purchase.tier);
}

/** Access lasts to the end of the paid period. */
export async function stopRenewalOf(ctx: Context, purchaseId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const found = await findByPurchase(tx, purchaseId);
    if (!found) return;
    const { userId, id: subscriptionId } = found;
    await lockUser(tx, userId);
    if ((await findByPurchase(tx, purchaseId))?.status === "cancelled") return;
    await cancelSubscription(tx, { userId, subscriptionId }, ctx.clock.now());
  });
}

/** Grants the access that an approved charge should have granted. Safe to repeat. */
export async function openPaid(ctx: Context, attemptId: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const { attempt, purchase } = await lockCharge(tx, attemptId);
    if (attempt.state !== "approved" || !isInEffect(purchase)) return;
    const { id: purchaseId, userId, tier } = purchase;
    const isRenewal = attempt.kind === "renewal";
    const paidAt = purchase.completedAt ?? attempt.resolvedAt ?? attempt.sentAt;
    const startsAt = isRenewal
      ? startOfPaid(attempt, await listCharges(tx, purchaseId))
      : await nextStart(tx, userId, tier, paidAt);
    const endsAt = periodEnd(tier, startsAt);
    const [source, sourceId] = isRenewal ? (["renewal", attempt.id] as const) : (["purchase", purchaseId] as const);
    const reason = "opened by reconciliation";
    await recordGrant(tx, { userId, tier, source, sourceId, purchaseId, startsAt, endsAt, reason }, now);
  });
}

/** @throws Refusal conflict when the charge belongs to another attempt. */
export async function restoreAttempt(ctx: Context, purchaseId: string, charge: GatewayTransaction): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const found = await findPurchase(tx, purchaseId);
    if (!found) throw new Error(`there is no purchase ${purchaseId}`);
    const { userId, completedAt } = found;
    await lockUser(tx, userId);
    await restoreAttemptOf(tx, { purchaseId, userId, completedAt }, charge);
    await correctFirstCharge(tx, purchaseId, { transactionId: charge.transactionId });
  });
}

/**
 * Records the gateway's charge of the same invoice and amount as the attempt's.
 * @throws Refusal conflict when there is none; GatewayUnavailable
 */
export async function adoptChargeOfInvoice(ctx: Context, attemptId: string): Promise<void> {
  const attempt = await findAttempt(ctx.db, { id: attemptId });
  if (!attempt) throw new Error(`there is no payment attempt ${attemptId}`);
  const { invoiceNumber, amount: amountCents, sentAt: since } = attempt;
  const now = ctx.clock.now();
  const listed = await ctx.gateway.listUnder({
    invoiceNumbers: [invoiceNumber],
    ...{ amountCents, since, now, freshSince: now, refersTo: null },
  });
  const charge = listed.find((one) => one.state === "approved" && one.amountCents === amountCents);
  if (!charge) {
    throw new Refusal(
      "conflict",
      "The gateway has no approved charge of this invoice and amount. Nothing was changed.",
    );
  }
  await ctx.db.transaction(async (tx) => {
    const { purchase } = await lockCharge(tx, attemptId);
    await correctTransaction(tx, attemptId, charge);
    if (attempt.kind === "initial") {
      await correctFirstCharge(tx, purchase.id, { transactionId: charge.transactionId });
    }
  });
}

export async function completeAgain(ctx: PaymentContext, attemptId: string, charge: GatewayTransaction): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const { attempt, purchase } = await lockCharge(tx, attemptId);
    if (attempt.state !== "approved" || purchase.status === "completed") return;
    if (purchase.completedAt === null) return complete(ctx, tx, attempt, charge, now);
    await recordPaidAgain(tx, purchase.id, now);
  });
}

/** Marks the attempt as not paid, and ends its purchase. @throws Refusal payment-in-progress. */
export async function disownCharge(ctx: Context, attemptId: string, reason: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const { attempt, purchase } = await lockCharge(tx, attemptId);
    await requireNothingAwaited(tx, purchase.id);
    await disownAttempt(tx, attempt.id, reason);
    await endPurchase(tx, purchase, "failed", reason, now);
  });
}

/** Ends the purchase with its renewal and access. @throws Refusal payment-in-progress. */
export async function endUnpaid(ctx: Context, purchaseId: string, reason: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const found = await findPurchase(tx, purchaseId);
    if (!found) return;
    await lockUser(tx, found.userId);
    await requireNothingAwaited(tx, purchaseId);
    await endPurchase(tx, await lockPurchase(tx, purchaseId), "failed", reason, ctx.clock.now());
  });
}

async function lockCharge(tx: Db, attemptId: string): Promise<{ attempt: AttemptRow; purchase: PurchaseRow }> {
  const found = await findAttempt(tx, { id: attemptId });
  if (!found) throw new Refusal("conflict", "We couldn't find this payment.");
  await lockUser(tx, found.userId);
  return { purchase: await lockPurchase(tx, found.purchaseId), attempt: await lockAttempt(tx, attemptId) };
}

export async function adoptAmount(ctx: Context, attemptId: string, amount: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const attempt = await correctAmount(tx, attemptId, amount);
    if (attempt) await settleMoneyKept(tx, attempt.purchaseId);
    if (attempt?.kind !== "initial") return;
    await correctFirstCharge(tx, attempt.purchaseId, { amount });
    const purchase = await findPurchase(tx, attempt.purchaseId);
    // After a coupon, the first charge does not determine the price of the next ones.
    if (purchase && purchase.renewalAmount === null) await correctPrice(tx, attempt.purchaseId, amount);
  });
}

/** Runs the handlers of an approved charge. */
function complete(
  ctx: PaymentContext,
  tx: Db,
  attempt: AttemptRow,
  charge: GatewayTransaction,
  now: Date,
): Promise<void> {
  return ctx.paymentHandlers.outcomes[attempt.kind].approved(tx, attempt, { ...charge, kind: "approved" }, now);
}
