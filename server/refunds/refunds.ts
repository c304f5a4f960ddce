import { isDeepStrictEqual } from "node:util";
import { eq } from "drizzle-orm";
import { formatCents } from "#contract/money.ts";
import { findPaidEnd } from "#server/access/access.ts";
import { after } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { type Db, isUniqueViolation } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { type GatewayTransaction, GatewayUnavailable, type ReturnOutcome } from "#server/gateway/gateway.ts";
import { lockUser } from "#server/identity/users.ts";
import { type AttemptRow, findLastCharge, hasOpenAttempt } from "#server/payments/attempts.ts";
import { orphanedAfter } from "#server/payments/polling.ts";
import { isInEffect, lockPurchase, type PurchaseRow } from "#server/purchases/purchases.ts";
import { listRefundedTogether, policyOf, type RefundedTogether } from "./policy.ts";
import { chargeOf } from "./preview.ts";
import { hasOpenRefund, invoiceOfNext, lockRefund, refundedOf, wasRefundedSince } from "./queries.ts";
import { recordNotSent, recordReturn, schedulePoll } from "./refund-outcomes.ts";
import { leftOf } from "./replaced.ts";
import { findEarlier } from "./resolver.ts";
import { chooseReturn, doubleClickTime, endsAccess, gatewayAway, isHeld, keptUntil, notSettled } from "./rules.ts";
import { type RefundRow, refunds } from "./tables.ts";

export { hasOpenRefund, isReturned, openReturns, returns, sumReturned, sumReturnedOf } from "./queries.ts";
export {
  endsAccess,
  gatewayAway,
  hasGoneBack,
  isHeld,
  isOpenRefund,
  noSuchRefund,
  openRefundStates,
} from "./rules.ts";
export type { RefundRow } from "./tables.ts";

/**
 * Refunds a charge of a purchase, by default the newest. A refund of all of the newest charge, or one with
 * `endAccess`, also ends the purchase's access and renewal, in the transaction that records it; others end neither.
 * With `keepAccessUntil`, a refund of all of the newest charge ends the renewal only.
 * Afterwards the money is returned, or certainly not, or the state is `unknown` or `held` and the resolver finds out.
 * @throws Refusal not-found, conflict (see `chooseReturn`), payment-in-progress, payment-unavailable.
 */
export async function refundPurchase(
  ctx: Context,
  request: {
    readonly purchaseId: string;
    readonly chargeId?: string | undefined;
    readonly endAccess?: boolean | undefined;
    /** The paid end, as the administrator was shown it. */
    readonly keepAccessUntil?: Date | undefined;
    /** By default all that is left. */
    readonly amountCents?: number | undefined;
    readonly reason?: string | undefined;
    readonly actor: string;
    /** Runs in the transaction that writes the refund, so that each has its audit entry. */
    readonly note: (tx: Db, refund: RefundRow, now: Date) => Promise<void>;
  },
): Promise<{
  refundId: string;
  state: "returned" | "unknown" | "held";
  amountCents: number;
  kind: "void" | "refund";
  /** Charges that should have been refunded together with it. Each can be refunded by itself. */
  notReturned: readonly { readonly planName: string; readonly cents: number }[];
}> {
  const { charge, purchase } = await chargeOf(ctx.db, request.purchaseId, request.chargeId);
  const transaction = await lookUp(ctx, charge.transactionId);
  const together = await lookUpRefundedTogether(ctx, purchase);
  const [refund, ...others] = await openRefunds(ctx, charge, transaction, together, request);
  if (!refund) throw new Error("no refund was written down");
  const recorded = await recordReturn(ctx, refund.id, await sendReturn(ctx, refund, transaction), { isFirst: true });
  const notReturned: { planName: string; cents: number }[] = [];
  let amountCents = recorded.amount;
  for (const other of others) {
    const of = together.find((one) => one.charge.id === other.attemptId);
    const isReturned = recorded.state === "returned" && of && (await returnToo(ctx, other, of.transaction));
    if (recorded.state !== "returned") await recordNotSent(ctx, other.id, "the refund it belongs to was not made");
    if (isReturned) amountCents += other.amount;
    else notReturned.push({ planName: of?.purchase.planName ?? "another plan", cents: other.amount });
  }
  if (recorded.state === "refused") {
    throw refusedBecause(recorded.note);
  }
  const { id: refundId, kind } = recorded;
  const state = isHeld(recorded) ? "held" : recorded.state === "returned" ? "returned" : "unknown";
  return { refundId, state, amountCents, kind, notReturned };
}

async function returnToo(ctx: Context, refund: RefundRow, transaction: GatewayTransaction): Promise<boolean> {
  const recorded = await recordReturn(ctx, refund.id, await sendReturn(ctx, refund, transaction), { isFirst: true });
  return recorded.state !== "refused";
}

async function lookUpRefundedTogether(ctx: Context, purchase: PurchaseRow) {
  const found: (RefundedTogether & { readonly transaction: GatewayTransaction })[] = [];
  for (const one of await listRefundedTogether(ctx, ctx.db, purchase, ctx.clock.now())) {
    found.push({ ...one, transaction: await lookUp(ctx, one.charge.transactionId) });
  }
  return found;
}

/** Commits before the gateway is called. */
function openRefunds(
  ctx: Context,
  charge: AttemptRow,
  transaction: GatewayTransaction,
  together: readonly (RefundedTogether & { readonly transaction: GatewayTransaction })[],
  request: Parameters<typeof refundPurchase>[1],
): Promise<RefundRow[]> {
  const opened = ctx.db.transaction(async (tx) => {
    await lockUser(tx, charge.userId);
    const now = ctx.clock.now();
    const purchase = await lockPurchase(tx, charge.purchaseId);
    await requireNothingOpen(tx, charge);
    const isNewest = (await findLastCharge(tx, purchase.id))?.id === charge.id;
    // The default is the newest charge, and a renewal may have been charged since the lookup.
    if (!isNewest && request.chargeId === undefined) {
      throw new Refusal("conflict", "This membership has just been renewed. Please look at it again.");
    }
    const refundedCents = await refundedOf(tx, charge.id);
    const { leftCents: left, creditedCents } = await leftOf(tx, charge, purchase);
    if (left <= 0 && creditedCents > 0) throw creditedRefusal(creditedCents);
    const amount = request.amountCents ?? left;
    if (amount > left && creditedCents > 0) throw creditedRefusal(creditedCents);
    if (amount < left && (await wasRefundedSince(tx, charge.id, amount, after(now, -doubleClickTime)))) {
      throw new Refusal("conflict", "The same amount was refunded a moment ago. Wait two minutes to refund it again.");
    }
    const { withinPolicy } = await policyOf(ctx, tx, purchase, now);
    const state = { paidCents: charge.amount, refundedCents, settled: transaction.settled, withinPolicy };
    const kind = chooseReturn(state, amount, request.reason);
    const isWhole = isNewest && amount === left;
    const isAllThatIsLeft = amount === left && creditedCents === 0;
    const what = { isInEffect: isInEffect(purchase), isNewest, isAllThatIsLeft };
    const paidEnd = endsAccess(what) ? await findPaidEnd(tx, purchase, now) : null;
    const accessKeptUntil = keptUntil(request.keepAccessUntil, paidEnd);
    const ends = accessKeptUntil === null && endsAccess({ ...what, isAskedTo: request.endAccess === true });
    if (isWhole) await requireSame(ctx, tx, purchase, together, now);
    const { actor, reason = null } = request;
    const write = async (of: Omit<NewRefund, "actor" | "reason" | "invoiceNumber">) => {
      const invoiceNumber = await invoiceOfNext(tx, of.charge.id, of.amount);
      const refund = await writeRefund(tx, { ...of, actor, reason, invoiceNumber }, now);
      await request.note(tx, refund, now);
      return refund;
    };
    const written = [await write({ charge, kind, amount, endsAccess: ends, accessKeptUntil })];
    for (const one of isWhole ? together : []) {
      const { leftCents } = one;
      const { paidCents, settled } = { paidCents: one.charge.amount, settled: one.transaction.settled };
      const kindOfOne = chooseReturn(
        { paidCents, refundedCents: paidCents - leftCents, settled, withinPolicy },
        leftCents,
        request.reason,
      );
      const ofOne = { charge: one.charge, kind: kindOfOne, amount: leftCents };
      const endsOne = { endsAccess: isInEffect(one.purchase), accessKeptUntil: null };
      written.push(await write({ ...ofOne, ...endsOne }));
    }
    return written;
  });
  return opened.catch(refuseSecondOpen);
}

/** Refuses when the upgrade was upgraded, or one of the other charges refunded, since the lookup. */
async function requireSame(
  ctx: Context,
  tx: Db,
  purchase: PurchaseRow,
  lookedUp: readonly RefundedTogether[],
  now: Date,
): Promise<void> {
  const found = await listRefundedTogether(ctx, tx, purchase, now);
  const wordsOf = (list: readonly RefundedTogether[]) =>
    list.map(({ charge, leftCents }) => `${charge.id} ${leftCents}`);
  if (!isDeepStrictEqual(wordsOf(found), wordsOf(lookedUp))) {
    throw new Refusal("conflict", "What would go back has changed meanwhile. Please look at it again.");
  }
  for (const one of found) if (await hasOpenRefund(tx, one.purchase.id)) throw inProgress();
}

interface NewRefund
  extends Pick<RefundRow, "kind" | "amount" | "endsAccess" | "accessKeptUntil" | "actor" | "reason" | "invoiceNumber"> {
  readonly charge: AttemptRow;
  readonly replaces?: string;
}

async function writeRefund(tx: Db, { charge, ...values }: NewRefund, now: Date): Promise<RefundRow> {
  const [refund] = await tx
    .insert(refunds)
    .values({
      ...values,
      purchaseId: charge.purchaseId,
      attemptId: charge.id,
      userId: charge.userId,
      reference: newId(),
      state: "sent",
      sentAt: now,
    })
    .returning();
  if (!refund) throw new Error("an insert returned no row");
  await schedulePoll(tx, refund.id, 0, after(now, orphanedAfter), now);
  return refund;
}

function creditedRefusal(creditedCents: number): Refusal {
  const credited = formatCents(creditedCents);
  return new Refusal("conflict", `${credited} of this payment is credited in a later upgrade. Refund the upgrade.`);
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

/** Sends no refund when an earlier one that was given up turns out to have been made. */
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

/**
 * Sends a refund again that did not arrive. Does not change access. When `unknown`, the resolver finds out.
 * @throws Refusal conflict, payment-in-progress, payment-unavailable.
 */
export async function refundAgain(
  ctx: Context,
  { refund, charge, actor }: { readonly refund: RefundRow; readonly charge: AttemptRow; readonly actor: string },
): Promise<"returned" | "unknown"> {
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
      const { amount, endsAccess, accessKeptUntil, reason } = refund;
      const kind: RefundRow["kind"] = transaction.settled ? "refund" : "void";
      if (kind === "void" && amount < charge.amount) {
        throw notSettled();
      }
      await tx
        .update(refunds)
        .set({ state: "refused", note: "did not arrive; sent again" })
        .where(eq(refunds.id, refund.id));
      // A new invoice number, because the failed refund has the old one at the gateway.
      const again = { invoiceNumber: newId(), replaces: refund.id, actor };
      return writeRefund(tx, { charge, kind, amount, endsAccess, accessKeptUntil, reason, ...again }, now);
    })
    .catch(refuseSecondOpen);
  const recorded = await recordReturn(ctx, again.id, await sendReturn(ctx, again, transaction), { isFirst: true });
  if (recorded.state === "refused") throw refusedBecause(recorded.note);
  return recorded.state === "returned" ? "returned" : "unknown";
}

async function lookUp(ctx: Context, transactionId: string): Promise<GatewayTransaction> {
  const transaction = await ctx.gateway.findTransaction(transactionId).catch((error: unknown) => {
    if (!(error instanceof GatewayUnavailable)) throw error;
    throw gatewayAway();
  });
  if (transaction?.state !== "approved") {
    throw new Refusal("conflict", "The gateway does not have this payment as paid. Compare the books first.");
  }
  return transaction;
}

function inProgress(): Refusal {
  return new Refusal("payment-in-progress", "A refund of this purchase is under way.");
}

function refusedBecause(note: string | null): Refusal {
  return new Refusal("payment-unavailable", note ?? "The gateway refused. The money was not returned.");
}
