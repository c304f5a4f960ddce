import { and, asc, eq, gte, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { tierRank } from "#contract/tiers.ts";
import {
  accessOf,
  accessWithout,
  endGrantsOf,
  listEndsOf,
  nextStart,
  recordGrant,
  undoEnd,
} from "#server/access/access.ts";
import type { Context } from "#server/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import type { GatewayTransaction } from "#server/gateway/gateway.ts";
import { lockUser } from "#server/identity/users.ts";
import { recordApproval, recordOutcome } from "#server/payments/outcomes.ts";
import { postLetter } from "#server/purchases/letters/post.ts";
import {
  type AttemptRow,
  findAttempt,
  findPurchase,
  lockAttempt,
  lockPurchase,
  openStates,
  type PurchaseRow,
} from "#server/purchases/queries.ts";
import { periodEnd } from "#server/purchases/rules.ts";
import {
  type AttemptState,
  type PurchaseStatus,
  paymentAttempts,
  purchases,
  refunds,
} from "#server/purchases/tables.ts";
import { Refusal } from "#server/refusal.ts";
import { renewalStart } from "#server/subscriptions/rules.ts";
import { forgetCardLater } from "#server/subscriptions/stored-cards.ts";
import { cancelSubscription, stopRenewal } from "#server/subscriptions/subscriptions.ts";
import {
  findLastCharge,
  findRefund,
  hasOpenRefund,
  listCharges,
  lockRefund,
  type RefundRow,
  refundedOf,
} from "./queries.ts";

export type { AttemptState, PurchaseStatus } from "#server/purchases/tables.ts";

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
  /** What went back of it, or may have. */
  readonly returns: readonly BookedReturn[];
}

/** A refund that was made by our books, or whose outcome we do not know yet. */
export interface BookedReturn {
  readonly refundId: string;
  readonly kind: "void" | "refund";
  readonly state: "sent" | "unknown" | "returned";
  readonly amountCents: number;
  readonly transactionId: string | null;
  /** What the gateway has as its invoice. */
  readonly invoiceNumber: string;
  readonly sentAt: Date;
}

/** The attempts that any of these transactions or invoices may belong to. */
export function listBookings(
  db: Db,
  of: { readonly transactionIds: readonly string[]; readonly invoiceNumbers: readonly string[] },
): Promise<Booking[]> {
  const [transactionIds, invoiceNumbers] = [[...of.transactionIds], [...of.invoiceNumbers]];
  const paidBack = db
    .select({ id: refunds.attemptId })
    .from(refunds)
    .where(
      or(
        inArray(refunds.transactionId, transactionIds),
        inArray(refunds.id, invoiceNumbers),
        inArray(refunds.invoiceNumber, invoiceNumbers),
      ),
    );
  return bookingsWhere(
    db,
    or(
      inArray(paymentAttempts.transactionId, transactionIds),
      inArray(paymentAttempts.invoiceNumber, invoiceNumbers),
      inArray(paymentAttempts.id, paidBack),
    ),
  );
}

/** The attempts that were approved since an instant and whose purchase still counts as paid. */
export function listApprovedSince(db: Db, since: Date): Promise<Booking[]> {
  return bookingsWhere(
    db,
    and(
      eq(paymentAttempts.state, "approved"),
      eq(purchases.status, "completed"),
      gte(paymentAttempts.resolvedAt, since),
    ),
  );
}

/** Those of these transactions that completed purchases name as theirs. */
export async function listNumbersOfPurchases(db: Db, transactionIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (transactionIds.length === 0) return new Set();
  const rows = await db
    .select({ transactionId: purchases.transactionId })
    .from(purchases)
    .where(and(inArray(purchases.transactionId, [...transactionIds]), eq(purchases.status, "completed")));
  return new Set(rows.flatMap(({ transactionId }) => transactionId ?? []));
}

/** The charges whose refunds were booked as made since an instant. */
export function listPaidBackSince(db: Db, since: Date): Promise<Booking[]> {
  const made = and(eq(refunds.state, "returned"), gte(sql`coalesce(${refunds.resolvedAt}, ${refunds.sentAt})`, since));
  return bookingsWhere(db, inArray(paymentAttempts.id, db.select({ id: refunds.attemptId }).from(refunds).where(made)));
}

/** What is looked at again: made since an instant, and not asked about since another one. */
export interface RecheckWindow {
  readonly madeSince: Date;
  readonly checkedBefore: Date;
}

/** Approved charges that the gateway was not asked about lately, the longest ago first. */
export async function listChargesToRecheck(db: Db, window: RecheckWindow, limit: number): Promise<Booking[]> {
  const lastKnown = sql`coalesce(${paymentAttempts.checkedAt}, ${paymentAttempts.resolvedAt})`;
  const chosen = db
    .select({ id: paymentAttempts.id })
    .from(paymentAttempts)
    .where(
      and(
        eq(paymentAttempts.state, "approved"),
        gte(paymentAttempts.resolvedAt, window.madeSince),
        sql`${lastKnown} < ${window.checkedBefore}`,
      ),
    )
    .orderBy(asc(lastKnown))
    .limit(limit);
  return bookingsWhere(db, inArray(paymentAttempts.id, chosen));
}

/** Charges with a refund that the gateway was never asked about, or not lately, the longest ago first. */
export async function listRefundsToRecheck(db: Db, window: RecheckWindow, limit: number): Promise<Booking[]> {
  const lastKnown = sql`coalesce(${refunds.checkedAt}, ${refunds.resolvedAt}, ${refunds.sentAt})`;
  const chosen = db
    .select({ id: refunds.attemptId })
    .from(refunds)
    .where(
      and(
        eq(refunds.state, "returned"),
        eq(refunds.kind, "refund"),
        // One of any age is asked about once.
        or(isNull(refunds.checkedAt), gte(refunds.sentAt, window.madeSince)),
        sql`${lastKnown} < ${window.checkedBefore}`,
      ),
    )
    .orderBy(asc(lastKnown))
    .limit(limit);
  return bookingsWhere(db, inArray(paymentAttempts.id, chosen));
}

/** Notes that the gateway was asked what became of a charge, or of the refunds of one. */
export async function markChecked(db: Db, of: { attemptId: string } | { refundsOf: string }, now: Date): Promise<void> {
  if ("attemptId" in of) {
    await db.update(paymentAttempts).set({ checkedAt: now }).where(eq(paymentAttempts.id, of.attemptId));
  } else {
    await db.update(refunds).set({ checkedAt: now }).where(eq(refunds.attemptId, of.refundsOf));
  }
}

async function bookingsWhere(db: Db, where: SQL | undefined): Promise<Booking[]> {
  const rows = await db
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
    })
    .from(paymentAttempts)
    .innerJoin(purchases, eq(purchases.id, paymentAttempts.purchaseId))
    .where(where);
  const returns = await listReturns(
    db,
    rows.map((row) => row.attemptId),
  );
  return rows.map((row) => ({ ...row, returns: returns.get(row.attemptId) ?? [] }));
}

async function listReturns(db: Db, attemptIds: readonly string[]): Promise<ReadonlyMap<string, BookedReturn[]>> {
  if (attemptIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(refunds)
    .where(and(inArray(refunds.attemptId, [...attemptIds]), inArray(refunds.state, ["sent", "unknown", "returned"])))
    .orderBy(asc(refunds.sentAt));
  const returns = rows.map(({ id: refundId, state, amount: amountCents, ...row }) => ({
    attemptId: row.attemptId,
    refundId,
    kind: row.kind,
    state: state as BookedReturn["state"],
    amountCents,
    transactionId: row.transactionId,
    invoiceNumber: row.invoiceNumber ?? refundId,
    sentAt: row.sentAt,
  }));
  return Map.groupBy(returns, ({ attemptId }) => attemptId);
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
 * Writes down as returned what is gone of a charge, so that the revenue is what the gateway's ledger says. When all of the
 * newest charge is gone, or any charge was disputed, the purchase no longer counts as paid, nothing renews, and what it
 * opened ends now; a part, or an older charge, leaves that. The student is told.
 * @returns whether the access ended.
 */
export async function recordLoss(ctx: Context, loss: Loss): Promise<boolean> {
  return ctx.db.transaction(async (tx) => (await recordLossIn(tx, loss, ctx.clock.now())).endsAccess);
}

/**
 * An administrator knows of a dispute: what is left of a charge, the newest when none is named, is gone, and the access
 * ends.
 * @param note writes down who did it, in the transaction that does.
 * @throws Refusal not-found, conflict when nothing of the charge is left.
 */
export async function recordDispute(
  ctx: Context,
  dispute: {
    readonly purchaseId: string;
    readonly chargeId?: string | undefined;
    readonly reason: string;
    readonly actor: string;
  },
  note: (tx: Db, refund: RefundRow, now: Date) => Promise<void>,
): Promise<void> {
  const { purchaseId, chargeId, reason, actor } = dispute;
  await ctx.db.transaction(async (tx) => {
    const purchase = await findPurchase(tx, purchaseId);
    if (!purchase) throw new Refusal("not-found", "There is no such purchase.");
    await lockUser(tx, purchase.userId);
    const now = ctx.clock.now();
    const charges = await listCharges(tx, purchaseId);
    const charge = chargeId === undefined ? charges[0] : charges.find(({ id }) => id === chargeId);
    if (!charge) throw new Refusal("not-found", "This purchase has no such paid charge.");
    const { transactionId, id: attemptId } = charge;
    const what = { attemptId, kind: "refund", amountCents: null, transactionId, cause: "charged-back" } as const;
    const { refund } = await recordLossIn(tx, { ...what, reason, actor }, now);
    if (!refund) throw new Refusal("conflict", "All of this charge went back before.");
    await note(tx, refund, now);
  });
}

async function recordLossIn(tx: Db, loss: Loss, now: Date): Promise<{ endsAccess: boolean; refund: RefundRow | null }> {
  const { attemptId, kind, transactionId, cause, reason, actor } = loss;
  const charge = await findAttempt(tx, { id: attemptId });
  const found = charge && (await findPurchase(tx, charge.purchaseId));
  if (!found) throw new Error(`the attempt ${attemptId} has no purchase`);
  await lockUser(tx, found.userId);
  const purchase = { ...(await lockPurchase(tx, found.id)), planName: found.planName };
  if (await hasOpenRefund(tx, purchase.id)) {
    throw new Refusal(
      "payment-in-progress",
      "A refund of this purchase is under way. Please try again when it is done.",
    );
  }
  const left = charge.amount - (await refundedOf(tx, attemptId));
  const amount = Math.min(loss.amountCents ?? left, left);
  const isNewest = (await findLastCharge(tx, purchase.id))?.id === attemptId;
  const endsAccess = purchase.status === "completed" && amount === left && (isNewest || cause === "charged-back");
  if (endsAccess) await endPurchaseIn(tx, purchase, cause === "never-paid" ? "failed" : "refunded", reason, now);
  if (amount <= 0) return { endsAccess, refund: null };
  const { userId, id: purchaseId, planName } = purchase;
  const what = { purchaseId, attemptId, userId, kind, amount, endsAccess, transactionId, actor };
  const when = { sentAt: now, resolvedAt: now };
  const [refund] = await tx
    .insert(refunds)
    .values({ ...what, ...when, reference: newId(), state: "returned", reason })
    .returning();
  if (refund) await tellOfReturn(tx, { refund, charge, planName, cause }, now);
  return { endsAccess, refund: refund ?? null };
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

/** Opens what an approved charge paid for, as if it had been opened at once. Safe to repeat. */
export async function openPaid(ctx: Context, attemptId: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const { attempt, purchase } = await lockCharge(tx, attemptId);
    if (attempt.state !== "approved" || purchase.status !== "completed") return;
    const { id: purchaseId, userId, tier } = purchase;
    const isRenewal = attempt.kind === "renewal";
    const paidAt = purchase.completedAt ?? attempt.resolvedAt ?? attempt.sentAt;
    const startsAt = isRenewal
      ? renewalStart(attempt.renewsFrom ?? attempt.sentAt, attempt.sentAt)
      : await nextStart(tx, userId, tier, paidAt);
    const endsAt = periodEnd(tier, startsAt);
    const [source, sourceId] = isRenewal ? (["renewal", attempt.id] as const) : (["purchase", purchaseId] as const);
    const reason = "opened by reconciliation";
    await recordGrant(tx, { userId, tier, source, sourceId, purchaseId, startsAt, endsAt, reason }, now);
  });
}

/**
 * Gives a completed purchase the payment attempt that the gateway has of it.
 * @throws Refusal conflict when that charge belongs to another attempt.
 */
export async function restoreAttempt(ctx: Context, purchaseId: string, charge: GatewayTransaction): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const found = await findPurchase(tx, purchaseId);
    if (!found) throw new Error(`there is no purchase ${purchaseId}`);
    await lockUser(tx, found.userId);
    const { transactionId, amountCents: amount, invoiceNumber, reference, submittedAt, card, codes } = charge;
    const [other] = await listBookings(tx, { transactionIds: [transactionId], invoiceNumbers: [] });
    if (other?.state === "approved") throw new Refusal("conflict", "This charge belongs to another payment.");
    const known = {
      amount,
      transactionId,
      state: "approved" as const,
      responseCode: codes.response,
      reasonCode: codes.reason,
      ...card,
      note: "restored by reconciliation",
      resolvedAt: found.completedAt ?? submittedAt,
    };
    await tx
      .insert(paymentAttempts)
      .values({
        ...known,
        purchaseId,
        userId: found.userId,
        kind: "initial",
        idempotencyKey: `restored:${purchaseId}`,
        reference: reference ?? newId(),
        invoiceNumber: invoiceNumber ?? purchaseId,
        sentAt: submittedAt,
      })
      .onConflictDoUpdate({ target: paymentAttempts.transactionId, set: known });
    await tx.update(purchases).set({ transactionId }).where(eq(purchases.id, purchaseId));
  });
}

/** A purchase that was paid and does not count as completed: it does again, with everything that it opens. */
export async function completeAgain(ctx: Context, attemptId: string, charge: GatewayTransaction): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const { attempt, purchase } = await lockCharge(tx, attemptId);
    if (attempt.state !== "approved" || purchase.status === "completed") return;
    if (purchase.completedAt === null) return recordApproval(tx, attempt, { ...charge, kind: "approved" }, now);
    // It was completed once: its grants, its days and its card are as they were.
    await tx.update(purchases).set({ status: "completed", statusMessage: null }).where(eq(purchases.id, purchase.id));
  });
}

/**
 * A refund that counts as made was not, or was undone: its money is ours, and counted as such. With `opens` everything
 * that it ended is open again to its own end, and the purchase counts as completed; nothing renews by itself.
 */
export async function takeRefundBack(
  ctx: Context,
  refundId: string,
  { opens, why }: { readonly opens: boolean; readonly why: string },
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const found = await findRefund(tx, refundId);
    if (!found) throw new Refusal("conflict", "There is no such refund any more.");
    await lockUser(tx, found.userId);
    const purchase = await lockPurchase(tx, found.purchaseId);
    const refund = await lockRefund(tx, refundId);
    if (refund.state !== "returned") return;
    await tx.update(refunds).set({ state: "refused", note: why }).where(eq(refunds.id, refundId));
    if (!opens || !refund.endsAccess || purchase.status === "completed") return;
    await tx.update(purchases).set({ status: "completed", statusMessage: null }).where(eq(purchases.id, purchase.id));
    const ends = await listEndsOf(tx, { userId: purchase.userId, purchaseId: purchase.id });
    for (const end of ends) await undoEnd(tx, end.id, why, now);
  });
}

/** Notes the gateway's number of a refund that was booked without it, or with another one. */
export async function noteRefundNumber(db: Db, refundId: string, transactionId: string): Promise<void> {
  await db.update(refunds).set({ transactionId }).where(eq(refunds.id, refundId));
}

/** The charge that the gateway knows under this number, or null. */
export async function findChargeByNumber(db: Db, transactionId: string): Promise<Booking | null> {
  const [found] = await bookingsWhere(
    db,
    and(eq(paymentAttempts.transactionId, transactionId), eq(paymentAttempts.state, "approved")),
  );
  return found ?? null;
}

/** A refund as it was booked, with the gateway's number of the charge that it pays back; null when there is none. */
export async function findBookedRefund(
  db: Db,
  refundId: string,
): Promise<{ refund: RefundRow; charge: AttemptRow } | null> {
  const refund = await findRefund(db, refundId);
  const charge = refund && (await findAttempt(db, { id: refund.attemptId }));
  return charge ? { refund, charge } : null;
}

/** The gateway does not have what an attempt says was charged: it counts as not charged, and its purchase as not paid. */
export async function disownCharge(ctx: Context, attemptId: string, reason: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const { attempt, purchase } = await lockCharge(tx, attemptId);
    await tx
      .update(paymentAttempts)
      .set({ state: "not-processed", note: reason })
      .where(eq(paymentAttempts.id, attempt.id));
    await endPurchaseIn(tx, purchase, "failed", reason, now);
  });
}

/** A completed purchase that nobody paid: nothing renews, and what it opened ends now. */
export async function endUnpaid(ctx: Context, purchaseId: string, reason: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const found = await findPurchase(tx, purchaseId);
    if (!found) return;
    await lockUser(tx, found.userId);
    await endPurchaseIn(tx, await lockPurchase(tx, purchaseId), "failed", reason, ctx.clock.now());
  });
}

async function lockCharge(tx: Db, attemptId: string): Promise<{ attempt: AttemptRow; purchase: PurchaseRow }> {
  const found = await findAttempt(tx, { id: attemptId });
  if (!found) throw new Refusal("conflict", "There is no such payment any more.");
  await lockUser(tx, found.userId);
  return { purchase: await lockPurchase(tx, found.purchaseId), attempt: await lockAttempt(tx, attemptId) };
}

/** What the gateway charged counts in place of what we thought. */
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
