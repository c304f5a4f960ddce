import { and, eq, gte, inArray, or, sql } from "drizzle-orm";
import { tierRank } from "#contract/tiers.ts";
import { accessOf, accessWithout, endGrantsOf } from "#server/access/access.ts";
import type { Context } from "#server/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import type { GatewayTransaction } from "#server/gateway/gateway.ts";
import { lockUser } from "#server/identity/users.ts";
import { recordApproval, recordOutcome } from "./attempts/outcomes.ts";
import { postLetter } from "./letters/post.ts";
import { forgetCardLater } from "./memberships/cards/stored-cards.ts";
import { cancelSubscription, stopRenewal } from "./memberships/memberships.ts";
import { type AttemptRow, findAttempt, findPurchase, lockPurchase, openStates, type PurchaseRow } from "./queries.ts";
import { type RefundRow, refundedOf } from "./refunds/queries.ts";
import { type AttemptState, type PurchaseStatus, paymentAttempts, purchases, refunds } from "./tables.ts";

export type { AttemptState, PurchaseStatus } from "./tables.ts";

/** What our books say of attempts, for comparing them with the gateway's. */
export interface Booking {
  readonly attemptId: string;
  readonly purchaseId: string;
  readonly userId: string;
  readonly state: AttemptState;
  readonly purchaseStatus: PurchaseStatus;
  readonly transactionId: string | null;
  readonly invoiceNumber: string;
  readonly amountCents: number;
  readonly resolvedAt: Date | null;
  /** The gateway's numbers of what we paid back of it. */
  readonly refunded: readonly string[];
  /** A refund of it whose outcome we do not know yet. */
  readonly openRefundId: string | null;
}

/** The attempts that any of these transactions or invoices may belong to. */
export function listBookings(
  db: Db,
  of: { readonly transactionIds: readonly string[]; readonly invoiceNumbers: readonly string[] },
): Promise<Booking[]> {
  return bookings(db).where(
    or(
      inArray(paymentAttempts.transactionId, [...of.transactionIds]),
      inArray(paymentAttempts.invoiceNumber, [...of.invoiceNumbers]),
    ),
  );
}

/** The attempts that were approved since a moment and whose purchase still counts as paid. */
export function listApprovedSince(db: Db, since: Date): Promise<Booking[]> {
  return bookings(db).where(
    and(
      eq(paymentAttempts.state, "approved"),
      eq(purchases.status, "completed"),
      gte(paymentAttempts.resolvedAt, since),
    ),
  );
}

function bookings(db: Db) {
  return db
    .select({
      attemptId: paymentAttempts.id,
      purchaseId: paymentAttempts.purchaseId,
      userId: paymentAttempts.userId,
      state: paymentAttempts.state,
      purchaseStatus: purchases.status,
      transactionId: paymentAttempts.transactionId,
      invoiceNumber: paymentAttempts.invoiceNumber,
      amountCents: paymentAttempts.amount,
      resolvedAt: paymentAttempts.resolvedAt,
      refunded: sql<string[]>`array(
        select ${refunds.transactionId} from ${refunds}
        where ${refunds.attemptId} = ${paymentAttempts.id} and ${refunds.state} = 'returned')`,
      openRefundId: sql<string | null>`(
        select ${refunds.id} from ${refunds}
        where ${refunds.attemptId} = ${paymentAttempts.id} and ${refunds.state} in ('sent', 'unknown') limit 1)`,
    })
    .from(paymentAttempts)
    .innerJoin(purchases, eq(purchases.id, paymentAttempts.purchaseId));
}

/**
 * A charge that counted as failed was made after all: the purchase completes as if it had been known at once. False when
 * nothing is left to open with it, because the same was paid by another charge since.
 */
export async function recordLateApproval(
  ctx: Context,
  attemptId: string,
  transaction: GatewayTransaction,
): Promise<boolean> {
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const found = await findAttempt(tx, { id: attemptId });
    if (!found) throw new Error(`there is no payment attempt ${attemptId}`);
    await lockUser(tx, found.userId);
    if (await isPaidOtherwise(tx, found, now)) return false;
    const [attempt] = await tx
      .update(paymentAttempts)
      .set({
        state: "approved",
        transactionId: transaction.transactionId,
        last4: transaction.card.last4,
        brand: transaction.card.brand,
        note: "found by reconciliation",
        resolvedAt: now,
      })
      .where(and(eq(paymentAttempts.id, attemptId), inArray(paymentAttempts.state, ["declined", "not-processed"])))
      .returning();
    if (attempt) await recordApproval(tx, attempt, { ...transaction, kind: "approved" }, now);
    return true;
  });
}

/** Whether another charge paid for the period of a renewal, or gave the student what this first one would. */
async function isPaidOtherwise(tx: Db, attempt: AttemptRow, now: Date): Promise<boolean> {
  const { purchaseId, renewsFrom } = attempt;
  if (renewsFrom !== null) {
    const ofPeriod = and(eq(paymentAttempts.purchaseId, purchaseId), eq(paymentAttempts.renewsFrom, renewsFrom));
    return (
      (await tx.$count(paymentAttempts, and(ofPeriod, inArray(paymentAttempts.state, [...openStates, "approved"])))) > 0
    );
  }
  const { tier } = await lockPurchase(tx, purchaseId);
  const { tier: owned } = await accessWithout(tx, attempt.userId, purchaseId, now);
  return owned !== null && tierRank(owned) >= tierRank(tier);
}

/** Somebody gave it back, the card holder's bank took it back, or it never arrived. */
export type LossCause = "returned" | "charged-back" | "never-paid";

/** Money that is gone again without our doing. */
export interface Loss {
  readonly attemptId: string;
  readonly kind: "void" | "refund";
  /** Null: all of the charge. */
  readonly amountCents: number | null;
  /** The gateway's number of what returned it. */
  readonly transactionId: string | null;
  readonly cause: LossCause;
  readonly reason: string;
  /** The administrator who records it. */
  readonly actor: string;
}

/**
 * Writes down as returned what is gone of a charge, so that the revenue is what the gateway's ledger says. When all of it
 * is gone, the purchase no longer counts as paid, nothing renews, and what it opened ends now; a part leaves that. The
 * student is told.
 * @returns whether the access ended.
 */
export async function recordLoss(ctx: Context, loss: Loss): Promise<boolean> {
  const { attemptId, kind, transactionId, cause, reason, actor } = loss;
  return ctx.db.transaction(async (tx) => {
    const charge = await findAttempt(tx, { id: attemptId });
    const purchase = charge && (await findPurchase(tx, charge.purchaseId));
    if (!purchase) throw new Error(`the attempt ${attemptId} has no purchase`);
    await lockUser(tx, purchase.userId);
    const now = ctx.clock.now();
    const left = charge.amount - (await refundedOf(tx, attemptId));
    const amount = Math.min(loss.amountCents ?? left, left);
    const endsAccess = amount === left;
    if (endsAccess) await endPurchaseIn(tx, purchase, cause === "never-paid" ? "failed" : "refunded", reason, now);
    if (amount > 0) {
      const { userId, id: purchaseId, planName } = purchase;
      const what = { purchaseId, attemptId, userId, kind, amount, endsAccess, transactionId, actor };
      const when = { sentAt: now, resolvedAt: now };
      const [refund] = await tx
        .insert(refunds)
        .values({ ...what, ...when, reference: newId(), state: "returned", reason })
        .returning();
      if (refund) await tellOfReturn(tx, { refund, charge, planName, cause }, now);
    }
    return endsAccess;
  });
}

/** Has the student told that money of a charge is gone again, and what is open now. */
export async function tellOfReturn(
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
    return postLetter(tx, { kind: "payment-lost", userId, occasion, facts: { ...known, cause } }, now);
  }
  const card = { brand: charge.brand, last4: charge.last4 };
  const facts = { ...known, paidCents: charge.amount, refundedAt: now, card, transactionId, kind, endsAccess };
  await postLetter(tx, { kind: "refunded", userId, occasion, facts }, now);
}

/**
 * The money of a purchase is gone again: it no longer counts as paid, nothing renews, and what it opened ends now. In a
 * transaction that holds the student.
 */
export async function endPurchaseIn(
  tx: Db,
  purchase: PurchaseRow,
  status: "refunded" | "failed",
  reason: string,
  now: Date,
): Promise<void> {
  if (purchase.isRecurring) {
    await stopRenewal(tx, purchase, reason, now);
    await forgetCardLater(tx, purchase, now);
  }
  await tx.update(purchases).set({ status }).where(eq(purchases.id, purchase.id));
  await endGrantsOf(tx, { userId: purchase.userId, purchaseId: purchase.id }, reason, now);
}

/**
 * Records a charge that the gateway has as the one that an attempt made, whether or not the attempt was given up since.
 * False when nothing is left to open with it, because the same was paid by another charge.
 */
export async function adoptCharge(ctx: Context, attemptId: string, transaction: GatewayTransaction): Promise<boolean> {
  const recorded = await recordOutcome(ctx, attemptId, { ...transaction, kind: "approved" });
  if (recorded.state === "approved") return recorded.transactionId === transaction.transactionId;
  return recordLateApproval(ctx, attemptId, transaction);
}

/** An open attempt charged nothing, as somebody saw at the gateway. One that is resolved stays as it is. */
export async function recordNotCharged(ctx: Context, attemptId: string, reason: string): Promise<void> {
  const codes = { response: null, reason: null, avs: null, cvv: null };
  const message = "The payment did not go through. Your card was not charged.";
  await recordOutcome(ctx, attemptId, { kind: "not-processed", cause: "not-paid", message, reason, codes });
}

/** Nothing more is charged for the subscription of a purchase; the course stays open to the end of what is paid. */
export async function stopRenewalOf(ctx: Context, purchaseId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const purchase = await findPurchase(tx, purchaseId);
    if (!purchase?.subscriptionId) return;
    const { userId, subscriptionId } = purchase;
    await lockUser(tx, userId);
    if ((await lockPurchase(tx, purchaseId)).subscriptionStatus === "cancelled") return;
    await cancelSubscription(tx, { userId, subscriptionId }, ctx.clock.now());
  });
}

/** Takes over what the gateway charged in place of what we thought. */
export async function adoptAmount(ctx: Context, attemptId: string, amountCents: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [attempt] = await tx
      .update(paymentAttempts)
      .set({ amount: amountCents })
      .where(eq(paymentAttempts.id, attemptId))
      .returning();
    if (attempt?.kind !== "initial") return;
    await tx.update(purchases).set({ amount: amountCents }).where(eq(purchases.id, attempt.purchaseId));
  });
}
