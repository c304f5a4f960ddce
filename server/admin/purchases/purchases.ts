import type { z } from "zod";
import type { AdminPurchase, PurchaseDetail, PurchaseFilter, PurchaseListQuery } from "#contract/admin/purchases.ts";
import { decimalAmount } from "#contract/money.ts";
import { notFound } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { RowSelection } from "#server/db/paging.ts";
import { nameOf } from "#server/identity/names.ts";
import { deleted, roleOf, type User } from "#server/identity/users.ts";
import { listReceiptNumbers, sumCharged } from "#server/payments/attempts.ts";
import { receiptNumberOf } from "#server/payments/receipt-numbers.ts";
import { kinds } from "#server/reconciliation/kinds.ts";
import { isHeld, sumReturned } from "#server/refunds/refunds.ts";
import { describeRenewals } from "#server/subscriptions/purchase-list.ts";
import { findByPurchase, isDeclined, isReopened } from "#server/subscriptions/subscriptions.ts";
import * as find from "./queries.ts";
import { rightsOverPurchase } from "./rules.ts";

export async function listPurchases(
  ctx: Context,
  actor: User,
  query: PurchaseListQuery & RowSelection,
): Promise<AdminPurchase[]> {
  return presentPurchases(ctx, actor, await find.listPurchaseRows(ctx.db, query, ctx.clock.now()));
}

export async function countPurchases(ctx: Context, filter: z.infer<typeof PurchaseFilter>): Promise<{ total: number }> {
  return { total: await find.countPurchaseRows(ctx.db, filter, ctx.clock.now()) };
}

/** @throws Refusal not-found. */
export async function describePurchase(ctx: Context, actor: User, purchaseId: string): Promise<PurchaseDetail> {
  const row = await find.findPurchaseRow(ctx.db, purchaseId);
  const [purchase] = row ? await presentPurchases(ctx, actor, [row]) : [];
  if (!row || !purchase) throw notFound("purchase");
  const [attempts, refunds, discrepancies] = await Promise.all([
    find.listAttemptRows(ctx.db, purchaseId),
    find.listRefundRows(ctx.db, purchaseId),
    find.listDiscrepanciesOf(ctx.db, purchaseId),
  ]);
  const { consent } = row.purchase;
  const subscription = await findByPurchase(ctx.db, purchaseId);
  return {
    purchase,
    paidUntil: iso(subscription?.currentPeriodEnd ?? null),
    reopenedUntil: iso(subscription && isReopened(subscription) ? subscription.reopenedUntil : null),
    declinedSince: iso(subscription && isDeclined(subscription) ? subscription.dunningSince : null),
    consent: consent && { version: consent.version, at: consent.at },
    attempts: attempts.map((attempt) => ({
      ...attempt,
      receiptNumber: attempt.state === "approved" ? receiptNumberOf(attempt) : null,
      amount: decimalAmount(attempt.amount),
      sentAt: attempt.sentAt.toISOString(),
      resolvedAt: iso(attempt.resolvedAt),
    })),
    refunds: refunds.map((refund) => ({
      ...refund,
      state: isHeld(refund) ? "held" : refund.state,
      amount: decimalAmount(refund.amount),
      accessKeptUntil: iso(refund.accessKeptUntil),
      sentAt: refund.sentAt.toISOString(),
      resolvedAt: iso(refund.resolvedAt),
    })),
    discrepancies: discrepancies.map((found) => ({
      ...found,
      title: kinds[found.kind].title,
      foundAt: found.foundAt.toISOString(),
      resolvedAt: iso(found.resolvedAt),
    })),
  };
}

async function presentPurchases(
  ctx: Context,
  actor: User,
  rows: readonly find.PurchaseWithBuyer[],
): Promise<AdminPurchase[]> {
  const ids = rows.map(({ purchase }) => purchase.id);
  const [paid, returned, receipts] = await Promise.all([
    sumCharged(ctx.db, ids),
    sumReturned(ctx.db, "purchaseId", ids),
    listReceiptNumbers(ctx.db, ids),
  ]);
  const leftCents = (id: string) => (paid.get(id) ?? 0) - (returned.get(id) ?? 0);
  const purchases = rows.map(({ purchase, planName, buyer }) => ({ ...purchase, planName, buyer }));
  return (await describeRenewals(ctx, purchases)).map(({ buyer, ...purchase }) => ({
    ...purchase,
    amount: decimalAmount(purchase.amount),
    discount: decimalAmount(purchase.discount),
    completedAt: iso(purchase.completedAt),
    createdAt: purchase.createdAt.toISOString(),
    userName: nameOf(buyer),
    userEmail: buyer.accountStatus === deleted ? "" : buyer.email,
    accountStatus: buyer.accountStatus,
    creditAmount: decimalAmount(purchase.credit),
    refundedAmount: decimalAmount(returned.get(purchase.id) ?? 0),
    receiptNumbers: [...(receipts.get(purchase.id) ?? [])],
    may: rightsOverPurchase(
      { ...purchase, accountStatus: buyer.accountStatus, leftCents: leftCents(purchase.id) },
      roleOf(ctx, actor),
    ),
  }));
}

function iso(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}
