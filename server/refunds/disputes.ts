import type * as contract from "#contract/admin/purchases.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { decimalAmount } from "#contract/money.ts";
import { recordAudit } from "#server/audit/audit.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { lockUser, type User } from "#server/identity/users.ts";
import { findAttempt, findLastCharge, listCharges } from "#server/payments/attempts.ts";
import { requireNothingAwaited } from "#server/payments/forget.ts";
import { findPurchase, isInEffect, lockPurchase } from "#server/purchases/purchases.ts";
import { hasOpenRefund, refundedOf } from "./queries.ts";
import { reportUnfoundedCredit } from "./replaced.ts";
import { emailRefund, endPurchase, type LossCause, settleMoneyKept } from "./returned-money.ts";
import { endsAccess } from "./rules.ts";
import { type RefundRow, refunds } from "./tables.ts";

/** Of money, without our doing. */
export interface Loss {
  readonly attemptId: string;
  readonly kind: "void" | "refund";
  /** Null: all of the charge. */
  readonly amountCents: number | null;
  readonly transactionId: string | null;
  readonly cause: LossCause;
  readonly reason: string;
  readonly actor: string;
}

export interface RecordedLoss {
  readonly endsAccess: boolean;
  /** Null when all of the charge went back before. */
  readonly refund: RefundRow | null;
}

/**
 * Records lost money of a charge, so that revenue equals the gateway's ledger, and emails the student. If all of the
 * newest charge is lost, or any charge was disputed, the purchase's renewal and access end. A part, or an older charge, does not end them.
 * @throws Refusal payment-in-progress.
 */
export async function recordLoss(ctx: Context, loss: Loss): Promise<RecordedLoss> {
  return ctx.db.transaction((tx) => recordLossIn(tx, loss, ctx.clock.now()));
}

/**
 * Records that a bank took a charge back, by default the newest, which the gateway does not always show.
 * @throws Refusal not-found, payment-in-progress, conflict when nothing of it is left.
 */
export async function recordDispute(
  ctx: Context,
  { id: actor }: User,
  { purchaseId, chargeId, reason }: BodyOf<typeof contract.recordDispute>,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const purchase = await findPurchase(tx, purchaseId);
    if (!purchase) throw notFound("purchase");
    await lockUser(tx, purchase.userId);
    const now = ctx.clock.now();
    const charges = await listCharges(tx, purchaseId);
    const charge = chargeId === undefined ? charges[0] : charges.find(({ id }) => id === chargeId);
    if (!charge) throw notFound("payment");
    const { transactionId, id: attemptId } = charge;
    const what = { attemptId, kind: "refund", amountCents: null, transactionId, cause: "charged-back" } as const;
    const { refund, endsAccess } = await recordLossIn(tx, { ...what, reason, actor }, now);
    if (!refund && !endsAccess) throw new Refusal("conflict", "This charge has already been refunded in full.");
    const after = { chargeId: attemptId, amount: decimalAmount(refund?.amount ?? 0) };
    await recordAudit(tx, { actor, action: "record dispute", subject: purchaseId, after, reason }, now);
  });
}

async function recordLossIn(tx: Db, loss: Loss, now: Date): Promise<RecordedLoss> {
  const { attemptId, kind, transactionId, cause, reason, actor } = loss;
  const charge = await findAttempt(tx, { id: attemptId });
  const found = charge && (await findPurchase(tx, charge.purchaseId));
  if (!found) throw new Error(`the attempt ${attemptId} has no purchase`);
  await lockUser(tx, found.userId);
  const purchase = { ...(await lockPurchase(tx, found.id)), planName: found.planName };
  if (await hasOpenRefund(tx, purchase.id)) {
    throw new Refusal("payment-in-progress", "A refund of this purchase is in progress. Try again when it’s finished.");
  }
  await requireNothingAwaited(tx, purchase.id);
  const left = charge.amount - (await refundedOf(tx, attemptId));
  const amount = Math.min(loss.amountCents ?? left, left);
  const isNewest = (await findLastCharge(tx, purchase.id))?.id === attemptId;
  const isAllThatIsLeft = amount === left;
  const isAskedTo = isAllThatIsLeft && cause === "charged-back";
  const ends = endsAccess({ isInEffect: isInEffect(purchase), isNewest, isAllThatIsLeft, isAskedTo });
  const { userId, id: purchaseId, planName } = purchase;
  const isDispute = cause === "charged-back";
  const what = { purchaseId, attemptId, userId, kind, amount, endsAccess: ends, transactionId, isDispute, actor };
  const when = { sentAt: now, resolvedAt: now };
  const refund = amount <= 0 ? null : await insertReturned(tx, { ...what, ...when, reason });
  // After an unpaid renewal the purchase has not failed: its earlier payments can still be refunded.
  const wasNeverPaid = cause === "never-paid" && charge.kind === "initial";
  if (ends) await endPurchase(tx, purchase, wasNeverPaid ? "failed" : "ended", reason, now);
  if (!refund) return { endsAccess: ends, refund };
  await reportUnfoundedCredit(tx, charge, purchase, now);
  await emailRefund(tx, { refund, charge, planName, cause }, now);
  return { endsAccess: ends, refund };
}

async function insertReturned(
  tx: Db,
  loss: Omit<typeof refunds.$inferInsert, "id" | "reference" | "state">,
): Promise<RefundRow> {
  const [refund] = await tx
    .insert(refunds)
    .values({ ...loss, reference: newId(), state: "returned" })
    .returning();
  if (!refund) throw new Error("an insert returned no row");
  await settleMoneyKept(tx, refund.purchaseId);
  return refund;
}
