import { decimalAmount } from "#contract/money.ts";
import type { Purchase } from "#contract/purchases/purchases.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { laterOf, listPurchasesOfUser } from "#server/purchases/purchases.ts";
import { listOfPurchases, type Subscription } from "./queries.ts";
import { isDeclined, isRenewing, waitsForPayment } from "./rules.ts";

export async function listPurchasesOf(ctx: Context, student: { readonly id: string }): Promise<Purchase[]> {
  const purchases = await listPurchasesOfUser(ctx.db, student.id);
  const withSubscription = await describeRenewals(ctx, purchases);
  return withSubscription.map(({ waitsForPayment: _, ...purchase }) => ({
    ...purchase,
    amount: decimalAmount(purchase.amount),
    discount: decimalAmount(purchase.discount),
    createdAt: purchase.createdAt.toISOString(),
  }));
}

export async function listSubscriptionRecords(db: Db, userId: string) {
  const purchases = await listPurchasesOfUser(db, userId);
  const subscriptions = await listOfPurchases(
    db,
    purchases.map(({ id }) => id),
  );
  return subscriptions.map(({ paymentMethodId: _paymentMethodId, card: { brand, last4 }, ...subscription }) => ({
    ...subscription,
    card: { brand, last4 },
  }));
}

export type RenewalFields = Pick<
  Purchase,
  | "subscriptionId"
  | "isRecurring"
  | "renewal"
  | "nextBillingDate"
  | "subscriptionStatus"
  | "paymentDeclined"
  | "lastPaymentAttempt"
> & {
  /** Only for administrators: as `waitsForPayment`. */
  readonly waitsForPayment: boolean;
};

export async function describeRenewals<Row extends { readonly id: string; readonly lastPaymentAttempt: Date | null }>(
  { db }: Pick<Context, "db">,
  purchases: readonly Row[],
): Promise<(Omit<Row, keyof RenewalFields> & RenewalFields)[]> {
  const ids = purchases.map(({ id }) => id);
  const byPurchase = new Map((await listOfPurchases(db, ids)).map((one) => [one.purchaseId, one]));
  return purchases.map((purchase) => ({ ...purchase, ...renewalFields(byPurchase.get(purchase.id), purchase) }));
}

export function renewalFields(
  subscription: Subscription | undefined,
  purchase?: { readonly lastPaymentAttempt: Date | null },
): RenewalFields {
  const lastAttempt = subscription?.lastAttemptAt ?? purchase?.lastPaymentAttempt;
  return {
    subscriptionId: subscription?.id ?? null,
    isRecurring: subscription !== undefined,
    renewal: subscription?.nextChargeAt
      ? { price: decimalAmount(subscription.price), later: laterOf(subscription) }
      : null,
    nextBillingDate: subscription?.nextChargeAt?.toISOString() ?? null,
    subscriptionStatus: subscription ? statusOf(subscription) : "active",
    paymentDeclined: subscription ? isDeclined(subscription) : false,
    waitsForPayment: subscription ? waitsForPayment(subscription) : false,
    lastPaymentAttempt: lastAttempt?.toISOString() ?? null,
  };
}

function statusOf(subscription: Subscription): "active" | "on_hold" | "cancelled" {
  if (isRenewing(subscription)) return "active";
  return subscription.status === "cancelled" ? "cancelled" : "on_hold";
}
