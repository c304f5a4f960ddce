import { isDeepStrictEqual } from "node:util";
import { eq } from "drizzle-orm";
import type * as contract from "#contract/admin/purchases.ts";
import type { RefundResult } from "#contract/admin/purchases.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { decimalAmount, formatCents } from "#contract/money.ts";
import { findPaidEnd } from "#server/access/access.ts";
import { recordAudit } from "#server/audit/audit.ts";
import { after } from "#server/base/clock.ts";
import { invalidFields, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { type Db, isUniqueViolation } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { type GatewayTransaction, GatewayUnavailable, type ReturnOutcome } from "#server/gateway/gateway.ts";
import { lockUser } from "#server/identity/users.ts";
import { type AttemptRow, findLastCharge, hasOpenAttempt } from "#server/payments/attempts.ts";
import { orphanedAfter } from "#server/payments/polling.ts";
import { isInEffect, lockPurchase, type PurchaseRow } from "#server/purchases/purchases.ts";
import { listRefundedTogether, policyOf, type RefundedTogether } from "./policy.ts";
import { chargeOf, instantOf, wholeCentsOf } from "./preview.ts";
import { hasOpenRefund, invoiceOfNext, lockRefund, refundedOf, wasRefundedSince } from "./queries.ts";
import { recordNotSent, recordReturn, schedulePoll } from "./refund-outcomes.ts";
import { leftOf } from "./replaced.ts";
import { findEarlier } from "./resolver.ts";
import { chooseReturn, doubleClickTime, endsAccess, gatewayAway, isHeld, keptUntil, notSettled } from "./rules.ts";
import { type RefundRow, refunds } from "./tables.ts";

export { hasOpenRefund, isReturned, openReturns, returns, sumReturned } from "./queries.ts";
export {
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
 * @throws Refusal not-found, invalid-input, conflict (see `chooseReturn`), payment-in-progress, payment-unavailable.
 */
export async function refundPurchase(ctx: Context, asked: AskedRefund): Promise<RefundResult> {
  const request = readRequest(asked);
  const { charge, purchase } = await chargeOf(ctx.db, request.purchaseId, request.chargeId);
  const transaction = await lookUp(ctx, charge.transactionId);
  const together = await lookUpRefundedTogether(ctx, purchase);
  const [refund, ...others] = await openRefunds(ctx, charge, transaction, together, request);
  if (!refund) throw new Error("no refund was written down");
  const recorded = await recordReturn(ctx, refund.id, await sendReturn(ctx, refund, transaction), { isFirst: true });
  // Each can be refunded by itself.
  const notReturned: string[] = [];
  let amountCents = recorded.amount;
  for (const other of others) {
    const of = together.find((one) => one.charge.id === other.attemptId);
    const isReturned = recorded.state === "returned" && of && (await returnToo(ctx, other, of.transaction));
    if (recorded.state !== "returned") await recordNotSent(ctx, other.id, "the refund it belongs to was not made");
    if (isReturned) amountCents += other.amount;
    else notReturned.push(`$${decimalAmount(other.amount)} of ${of?.purchase.planName ?? "another plan"}`);
  }
  if (recorded.state === "refused") {
    throw refusedBecause(recorded.note);
  }
  const state = isHeld(recorded) ? "held" : recorded.state === "returned" ? "returned" : "unknown";
  const amount = decimalAmount(amountCents);
  const done = state === "returned" ? `Refunded $${amount}` : outstandingWords[state];
  const left = notReturned.map((what) => ` ${what} wasn’t refunded. Refund it separately.`);
  const message = left.length > 0 ? `${done}.${left.join("")}` : done;
  return { success: true, message, refundId: recorded.id, state, amount, isPartial: left.length > 0 };
}

type AskedRefund = BodyOf<typeof contract.refundPurchase> & {
  readonly actor: string;
  /** A repair writes its own line in the audit log. */
  readonly isRepair?: boolean;
};

function readRequest({ amount, keepAccessUntil, reason, ...asked }: AskedRefund) {
  if (asked.endAccess && keepAccessUntil !== undefined) {
    throw invalidFields({ keepAccessUntil: ["Access can't be kept and ended"] });
  }
  return {
    ...asked,
    amountCents: wholeCentsOf(amount),
    keepAccessUntil: instantOf(keepAccessUntil),
    reason: reason || undefined,
  };
}

const outstandingWords = {
  unknown: "The refund is being confirmed with the gateway.",
  held: "The gateway holds the refund for review: decide about it there. Until then nothing goes back.",
} as const;

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
  request: ReturnType<typeof readRequest>,
): Promise<RefundRow[]> {
  const opened = ctx.db.transaction(async (tx) => {
    await lockUser(tx, charge.userId);
    const now = ctx.clock.now();
    const purchase = await lockPurchase(tx, charge.purchaseId);
    await requireNothingOpen(tx, charge);
    const isNewest = (await findLastCharge(tx, purchase.id))?.id === charge.id;
    // The default is the newest charge, and a renewal may have been charged since the lookup.
    if (!isNewest && request.chargeId === undefined) {
      throw new Refusal("conflict", "This membership has just been renewed. Check it again before you refund it.");
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
      if (!request.isRepair) await recordRefundAudit(tx, refund, request.purchaseId, now);
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

function recordRefundAudit(tx: Db, refund: RefundRow, subject: string, now: Date): Promise<void> {
  const { id, attemptId, kind, amount, endsAccess, accessKeptUntil, actor, reason } = refund;
  const kept = accessKeptUntil && { accessKeptUntil: accessKeptUntil.toISOString() };
  const after = { refundId: id, chargeId: attemptId, kind, amount: decimalAmount(amount), endsAccess, ...kept };
  return recordAudit(tx, { actor, action: "refund purchase", subject, after, reason: reason ?? undefined }, now);
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
    throw new Refusal("conflict", "The refund amount has changed. Check it again.");
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
  return new Refusal(
    "conflict",
    `${credited} of this payment was credited to a later upgrade. Refund the upgrade instead.`,
  );
}

function refuseSecondOpen(error: unknown): never {
  throw isUniqueViolation(error, "refunds_one_open") ? inProgress() : error;
}

async function requireNothingOpen(tx: Db, { userId, purchaseId }: AttemptRow): Promise<void> {
  if (await hasOpenAttempt(tx, userId)) {
    throw new Refusal(
      "payment-in-progress",
      "A payment by this student is being confirmed. Try again when that’s finished.",
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
  if (!charge.transactionId)
    throw new Refusal("conflict", "We don’t know the gateway’s transaction number for this charge.");
  const transaction = await lookUp(ctx, charge.transactionId);
  const again = await ctx.db
    .transaction(async (tx) => {
      await lockUser(tx, charge.userId);
      const now = ctx.clock.now();
      await lockPurchase(tx, charge.purchaseId);
      if ((await lockRefund(tx, refund.id)).state !== "returned") {
        throw new Refusal("conflict", "This refund is no longer recorded as made.");
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
    throw new Refusal(
      "conflict",
      "The gateway doesn’t show this payment as paid. Compare the records under Reconciliation first.",
    );
  }
  return transaction;
}

function inProgress(): Refusal {
  return new Refusal("payment-in-progress", "A refund of this purchase is in progress.");
}

function refusedBecause(note: string | null): Refusal {
  return new Refusal("payment-unavailable", note ?? "The gateway refused the refund. No money was returned.");
}
