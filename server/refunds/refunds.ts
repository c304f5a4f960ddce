import { eq } from "drizzle-orm";
import type { Tier } from "#contract/tiers.ts";
import { accessWithout } from "#server/access/access.ts";
import { after } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { type Db, isUniqueViolation } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { type GatewayTransaction, GatewayUnavailable, type ReturnOutcome } from "#server/gateway/gateway.ts";
import { lockUser } from "#server/identity/users.ts";
import {
  type AttemptKind,
  type AttemptRow,
  findLastCharge,
  hasOpenAttempt,
  listCharges,
} from "#server/payments/attempts.ts";
import { orphanedAfter } from "#server/payments/polling.ts";
import {
  countsAsPaid,
  findFirstPayment,
  findPurchase,
  lockPurchase,
  type PurchaseRow,
  wasPaid,
} from "#server/purchases/purchases.ts";
import { hasOpenRefund, invoiceOfNext, lockRefund, refundedOf, wasRefundedSince } from "./queries.ts";
import { recordReturn, schedulePoll } from "./refund-outcomes.ts";
import { findEarlier } from "./resolver.ts";
import { chooseReturn, doubleClickTime, endsAccess, policyUntil } from "./rules.ts";
import { type RefundRow, refunds } from "./tables.ts";

export { hasOpenRefund, isReturned, returns, sumReturned } from "./queries.ts";
export { endsAccess, hasGoneBack, isOpenRefund, openRefundStates } from "./rules.ts";
export type { RefundRow } from "./tables.ts";

/** A charge of a purchase, as it may be paid back. */
export interface RefundableCharge {
  readonly id: string;
  readonly kind: AttemptKind;
  readonly paidAt: Date;
  readonly transactionId: string | null;
  readonly paidCents: number;
  readonly refundedCents: number;
}

export interface RefundPreview {
  readonly chargeId: string;
  readonly transactionId: string;
  /** Every paid charge of the purchase, newest first; the first one is meant when none is named. */
  readonly charges: readonly RefundableCharge[];
  readonly isNewest: boolean;
  readonly paidCents: number;
  readonly refundedCents: number;
  readonly refundableCents: number;
  /** How it would go back now; null while the gateway cannot be asked. */
  readonly kind: "void" | "refund" | null;
  readonly withinPolicy: boolean;
  readonly policyUntil: Date | null;
  /** Whether there is anything that the purchase opens and a refund may end. */
  readonly endsAccess: boolean;
  /** What the student may use afterwards, if it does. */
  readonly accessAfter: { readonly tier: Tier | null; readonly until: Date | null };
}

/**
 * What refunding a charge of a purchase, the newest when none is named, would mean for the money and for the access.
 * @throws Refusal not-found, conflict.
 */
export async function previewRefund(ctx: Context, purchaseId: string, chargeId?: string): Promise<RefundPreview> {
  const now = ctx.clock.now();
  const { purchase, charge, charges } = await chargeOf(ctx.db, purchaseId, chargeId);
  const refundedCents = await refundedOf(ctx.db, charge.id);
  const policy = await policyOf(ctx.db, purchase, now);
  const transaction = await ctx.gateway.findTransaction(charge.transactionId).catch((error: unknown) => {
    if (error instanceof GatewayUnavailable) return null;
    throw error;
  });
  return {
    chargeId: charge.id,
    transactionId: charge.transactionId,
    charges: await withRefunded(ctx.db, charges),
    isNewest: charge.id === charges[0]?.id,
    paidCents: charge.amount,
    refundedCents,
    refundableCents: charge.amount - refundedCents,
    kind: transaction && (transaction.settled ? "refund" : "void"),
    ...policy,
    endsAccess: countsAsPaid(purchase),
    accessAfter: await accessWithout(ctx.db, purchase.userId, purchase.id, now),
  };
}

/**
 * Pays a student back for a charge of a purchase, the newest when none is named. The newest one whole, or any when it is
 * asked for, ends what the purchase opened and its renewal, in the transaction that records it; a part, or an older
 * charge, leaves both. Afterwards the money is back, or it is certain that it is not and
 * why, or the state is `unknown` and the resolver finds out.
 * @throws Refusal not-found, conflict (see `chooseReturn`), payment-in-progress, payment-unavailable.
 */
export async function refundPurchase(
  ctx: Context,
  request: {
    readonly purchaseId: string;
    readonly chargeId?: string | undefined;
    /** Ends the access and the renewal, whatever is paid back. */
    readonly endAccess?: boolean | undefined;
    /** All that is left when it is not said. */
    readonly amountCents?: number | undefined;
    readonly reason?: string | undefined;
    readonly actor: string;
    /** Notes who does it in the transaction that writes the refund, so that no refund goes without. */
    readonly note: (tx: Db, refund: RefundRow, now: Date) => Promise<void>;
  },
): Promise<{ refundId: string; state: "returned" | "unknown"; amountCents: number; kind: "void" | "refund" }> {
  const { charge } = await chargeOf(ctx.db, request.purchaseId, request.chargeId);
  const transaction = await lookUp(ctx, charge.transactionId);
  const refund = await openRefund(ctx, charge, transaction, request);
  const recorded = await recordReturn(ctx, refund.id, await sendReturn(ctx, refund, transaction), { isFirst: true });
  if (recorded.state === "refused") {
    throw new Refusal("payment-unavailable", recorded.note ?? "The gateway refused. The money was not returned.");
  }
  const { id: refundId, amount: amountCents, kind } = recorded;
  return { refundId, state: recorded.state === "returned" ? "returned" : "unknown", amountCents, kind };
}

/** Writes the refund as sent, before the gateway is called. */
function openRefund(
  ctx: Context,
  charge: AttemptRow,
  transaction: GatewayTransaction,
  request: Parameters<typeof refundPurchase>[1],
): Promise<RefundRow> {
  const opened = ctx.db.transaction(async (tx) => {
    await lockUser(tx, charge.userId);
    const now = ctx.clock.now();
    const purchase = await lockPurchase(tx, charge.purchaseId);
    await requireNothingOpen(tx, charge);
    const isNewest = (await findLastCharge(tx, purchase.id))?.id === charge.id;
    // Who named no charge meant the newest one, and a renewal may have been charged since it was looked up.
    if (!isNewest && request.chargeId === undefined) {
      throw new Refusal("conflict", "This membership has just been renewed. Please look at it again.");
    }
    const refundedCents = await refundedOf(tx, charge.id);
    const left = charge.amount - refundedCents;
    const amount = request.amountCents ?? left;
    if (amount < left && (await wasRefundedSince(tx, charge.id, amount, after(now, -doubleClickTime)))) {
      throw new Refusal("conflict", "The same amount was refunded a moment ago. Wait two minutes to refund it again.");
    }
    const { withinPolicy } = await policyOf(tx, purchase, now);
    const state = { paidCents: charge.amount, refundedCents, settled: transaction.settled, withinPolicy };
    const kind = chooseReturn(state, amount, request.reason);
    const [refund] = await tx
      .insert(refunds)
      .values({
        purchaseId: purchase.id,
        attemptId: charge.id,
        userId: charge.userId,
        kind,
        amount,
        endsAccess: endsAccess({
          isPaid: countsAsPaid(purchase),
          isNewest,
          isAllThatIsLeft: amount === left,
          isAskedTo: request.endAccess === true,
        }),
        reference: newId(),
        invoiceNumber: await invoiceOfNext(tx, charge.id, amount),
        state: "sent",
        actor: request.actor,
        reason: request.reason ?? null,
        sentAt: now,
      })
      .returning();
    if (!refund) throw new Error("an insert returned no row");
    await request.note(tx, refund, now);
    await schedulePoll(tx, refund.id, 0, after(now, orphanedAfter), now);
    return refund;
  });
  return opened.catch(refuseSecondOpen);
}

function refuseSecondOpen(error: unknown): never {
  throw isUniqueViolation(error, "refunds_one_open") ? inProgress() : error;
}

async function requireNothingOpen(tx: Db, { userId, purchaseId }: AttemptRow): Promise<void> {
  if (await hasOpenAttempt(tx, userId)) {
    throw new Refusal(
      "payment-in-progress",
      "A payment of this student is being confirmed. Please try again when it is.",
    );
  }
  if (await hasOpenRefund(tx, purchaseId)) throw inProgress();
}

/** Sends a refund, unless one that was given up turns out to have been made. */
async function sendReturn(
  ctx: Context,
  refund: RefundRow,
  { transactionId, card }: GatewayTransaction,
): Promise<ReturnOutcome> {
  const { kind, amount: amountCents, reference } = refund;
  if (kind === "void") return ctx.gateway.voidTransaction({ transactionId, reference });
  const earlier = await findEarlier(ctx, refund);
  if (earlier) return earlier;
  const invoiceNumber = refund.invoiceNumber ?? refund.id;
  return ctx.gateway.refund({ transactionId, reference, invoiceNumber, amountCents, last4: card.last4 ?? "" });
}

async function chargeOf(db: Db, purchaseId: string, chargeId: string | undefined) {
  const purchase = await findPurchase(db, purchaseId);
  if (!purchase) throw new Refusal("not-found", "There is no such purchase.");
  const charges = await listCharges(db, purchaseId);
  const charge = chargeId === undefined ? charges[0] : charges.find(({ id }) => id === chargeId);
  if (chargeId !== undefined && !charge) throw new Refusal("not-found", "This purchase has no such paid charge.");
  if (!charge?.transactionId) throw new Refusal("conflict", "Nothing was paid for this purchase.");
  if (!wasPaid(purchase)) throw new Refusal("conflict", "This purchase never completed.");
  return { purchase, charges, charge: { ...charge, transactionId: charge.transactionId } };
}

async function withRefunded(db: Db, charges: readonly AttemptRow[]): Promise<RefundableCharge[]> {
  return Promise.all(
    charges.map(async ({ id, kind, sentAt: paidAt, transactionId, amount: paidCents }) => ({
      ...{ id, kind, paidAt, transactionId, paidCents },
      refundedCents: await refundedOf(db, id),
    })),
  );
}

/**
 * Sends a refund again that counts as made and did not arrive. The new one replaces it as soon as it is sent;
 * refused, the old one counts again. The access stays as it is.
 * @throws Refusal conflict, payment-in-progress, payment-unavailable.
 */
export async function refundAgain(
  ctx: Context,
  { refund, charge, actor }: { readonly refund: RefundRow; readonly charge: AttemptRow; readonly actor: string },
): Promise<void> {
  if (!charge.transactionId) throw new Refusal("conflict", "The gateway's number of the charge is not known.");
  const transaction = await lookUp(ctx, charge.transactionId);
  const again = await ctx.db
    .transaction(async (tx) => {
      await lockUser(tx, charge.userId);
      const now = ctx.clock.now();
      await lockPurchase(tx, charge.purchaseId);
      if ((await lockRefund(tx, refund.id)).state !== "returned") {
        throw new Refusal("conflict", "This refund does not count as made any more.");
      }
      const { purchaseId, attemptId, userId, amount, reason } = refund;
      const kind: RefundRow["kind"] = transaction.settled ? "refund" : "void";
      if (kind === "void" && amount < charge.amount) {
        throw new Refusal("conflict", "A part can be refunded once the payment has settled, usually by tomorrow.");
      }
      await tx
        .update(refunds)
        .set({ state: "refused", note: "did not arrive; sent again" })
        .where(eq(refunds.id, refund.id));
      const [row] = await tx
        .insert(refunds)
        .values({
          ...{ purchaseId, attemptId, userId, kind, amount, endsAccess: refund.endsAccess, reason, actor },
          reference: newId(),
          // A new one: under the old invoice the gateway has the failed refund.
          invoiceNumber: newId(),
          state: "sent",
          sentAt: now,
        })
        .returning();
      if (!row) throw new Error("an insert returned no row");
      await schedulePoll(tx, row.id, 0, after(now, orphanedAfter), now);
      return row;
    })
    .catch((error) => {
      throw isUniqueViolation(error, "refunds_one_open") ? inProgress() : error;
    });
  const recorded = await recordReturn(ctx, again.id, await sendReturn(ctx, again, transaction), { isFirst: true });
  if (recorded.state !== "refused") return;
  await ctx.db.update(refunds).set({ state: "returned", note: refund.note }).where(eq(refunds.id, refund.id));
  throw new Refusal("payment-unavailable", recorded.note ?? "The gateway refused. The money was not returned.");
}

async function policyOf(db: Db, purchase: PurchaseRow, now: Date) {
  const first = await findFirstPayment(db, purchase.userId);
  const until = first?.purchaseId === purchase.id ? policyUntil(first.paidAt) : null;
  return { withinPolicy: until !== null && now <= until, policyUntil: until };
}

async function lookUp(ctx: Context, transactionId: string): Promise<GatewayTransaction> {
  const transaction = await ctx.gateway.findTransaction(transactionId).catch((error: unknown) => {
    if (!(error instanceof GatewayUnavailable)) throw error;
    throw new Refusal("payment-unavailable", "The gateway does not answer. Nothing was changed; please try again.");
  });
  if (transaction?.state !== "approved") {
    throw new Refusal("conflict", "The gateway does not have this payment as paid. Compare the books first.");
  }
  return transaction;
}

function inProgress(): Refusal {
  return new Refusal("payment-in-progress", "A refund of this purchase is under way.");
}
