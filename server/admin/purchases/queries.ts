import { and, desc, eq, getColumns, inArray, lte, ne, notExists, or, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { PurchaseFilter, PurchaseListQuery } from "#contract/admin/purchases.ts";
import { after, DAY } from "#server/base/clock.ts";
import { plans } from "#server/catalogue/tables.ts";
import type { Db } from "#server/db/db.ts";
import { containsWords, isInSelection, type RowSelection, selectRows } from "#server/db/paging.ts";
import { whatStops } from "#server/discrepancies/discrepancies.ts";
import { discrepancies } from "#server/discrepancies/tables.ts";
import { users } from "#server/identity/tables.ts";
import { deleted } from "#server/identity/users.ts";
import { paymentAttempts } from "#server/payments/tables.ts";
import { nameOfSoldPlan } from "#server/purchases/purchases.ts";
import { purchases } from "#server/purchases/tables.ts";
import { refunds } from "#server/refunds/tables.ts";
import { statusesShownAs } from "#server/subscriptions/subscriptions.ts";
import { subscriptions } from "#server/subscriptions/tables.ts";

export type PurchaseWithBuyer = Awaited<ReturnType<typeof listPurchaseRows>>[number];

export async function listPurchaseRows(db: Db, query: PurchaseListQuery & RowSelection, now: Date) {
  return selectRows(db, withBuyer(db).$dynamic(), {
    ...query,
    table: purchases,
    id: purchases.id,
    key: purchases[query.sort],
    direction: query.order,
    where: and(found(db, query, now), isInSelection(purchases.id, query)),
  });
}

export function countPurchaseRows(
  db: Db,
  query: z.infer<typeof PurchaseFilter> & RowSelection,
  now: Date,
): Promise<number> {
  return db.$count(purchases, and(found(db, query, now), isInSelection(purchases.id, query)));
}

/** Of the subscriptions that the filter `due` finds. */
export async function sumDue(db: Db, now: Date): Promise<{ count: number; cents: number }> {
  const [row] = await db
    .select({
      count: sql<number>`count(*)::int`,
      cents: sql<number>`(coalesce(sum(${subscriptions.price}), 0) * 100)::float8`,
    })
    .from(subscriptions)
    .where(isDue(db, now));
  return row ?? { count: 0, cents: 0 };
}

/** Of the subscriptions that the filter `unresolved` finds. The attempt is the next one of all. */
export async function summarizeUnresolved(db: Db): Promise<{ count: number; nextAttemptAt: Date | null }> {
  const { nextChargeAt, declinedForGood } = subscriptions;
  const [row] = await db
    .select({
      count: sql<number>`count(*)::int`,
      nextAttemptAt: sql<Date | null>`min(${nextChargeAt}) filter (where not ${declinedForGood})`.mapWith(nextChargeAt),
    })
    .from(subscriptions)
    .where(isUnresolved);
  return row ?? { count: 0, nextAttemptAt: null };
}

export async function findPurchaseRow(db: Db, id: string): Promise<PurchaseWithBuyer | null> {
  const [row] = await withBuyer(db).where(eq(purchases.id, id));
  return row ?? null;
}

function withBuyer(db: Db) {
  return db
    .select({
      purchase: getColumns(purchases),
      planName: nameOfSoldPlan(db),
      buyer: {
        firstName: users.firstName,
        lastName: users.lastName,
        email: users.email,
        accountStatus: users.accountStatus,
      },
    })
    .from(purchases)
    .innerJoin(plans, eq(plans.id, purchases.planId))
    .innerJoin(users, eq(users.id, purchases.userId));
}

function found(db: Db, filter: z.infer<typeof PurchaseFilter>, now: Date): SQL | undefined {
  const { search, status, tier, subscription, userId } = filter;
  return and(
    status && eq(purchases.status, status),
    tier && eq(purchases.tier, tier),
    userId ? eq(purchases.userId, userId) : undefined,
    subscription && ofSubscription(db, subscription, now),
    search ? or(ofBuyer(db, search), ofNumber(db, search)) : undefined,
  );
}

function ofSubscription(db: Db, shown: NonNullable<z.infer<typeof PurchaseFilter>["subscription"]>, now: Date): SQL {
  const { status, isPaid } = subscriptions;
  const withStatus = {
    due: () => isDue(db, now),
    unresolved: () => isUnresolved,
    // Without purchases that were never completed, like the figures.
    active: () => and(inArray(status, [...statusesShownAs.active]), isPaid),
    declined: () => and(inArray(status, [...statusesShownAs.declined]), isPaid),
    on_hold: () => inArray(status, [...statusesShownAs.on_hold]),
    cancelled: () => inArray(status, [...statusesShownAs.cancelled]),
  };
  const found = db.select({ id: subscriptions.purchaseId }).from(subscriptions).where(withStatus[shown]());
  return inArray(purchases.id, found);
}

/** Once it is paid or cancelled, or the retries are over and the account is on hold, nothing more is awaited. */
const isUnresolved = and(eq(subscriptions.status, "declined"), subscriptions.isPaid);

/**
 * Renews in the next 7 days, or is overdue. A declined one is tried again instead; blocked accounts, and students with
 * an open dispute, aren't charged.
 */
function isDue(db: Db, now: Date): SQL | undefined {
  const { status, isPaid, nextChargeAt, userId } = subscriptions;
  const isActive = sql`exists (select from ${users} where ${users.id} = ${userId} and ${users.accountStatus} = 'active')`;
  return and(
    ...[inArray(status, [...statusesShownAs.active]), isPaid, lte(nextChargeAt, after(now, 7 * DAY))],
    ...[isActive, notExists(whatStops(db, "charges", userId))],
  );
}

function ofBuyer(db: Db, search: string): SQL {
  const buyers = db
    .select({ id: users.id })
    .from(users)
    .where(and(ne(users.accountStatus, deleted), ...containsWords(users.searchText, search)));
  return inArray(purchases.userId, buyers);
}

/** Matches the id of a purchase or subscription, the number of a receipt, or a transaction id of the gateway. */
function ofNumber(db: Db, search: string): SQL | undefined {
  const charged = db
    .select({ id: paymentAttempts.purchaseId })
    .from(paymentAttempts)
    .where(
      or(
        eq(paymentAttempts.transactionId, search),
        eq(paymentAttempts.receiptNumber, search.toUpperCase()),
        eq(paymentAttempts.id, search),
      ),
    );
  const ofSubscriptionNumber = db
    .select({ id: subscriptions.purchaseId })
    .from(subscriptions)
    .where(eq(subscriptions.id, search));
  const returned = db.select({ id: refunds.purchaseId }).from(refunds).where(eq(refunds.transactionId, search));
  return or(
    eq(purchases.id, search),
    inArray(purchases.id, ofSubscriptionNumber),
    inArray(purchases.id, charged),
    inArray(purchases.id, returned),
  );
}

export function listAttemptRows(db: Db, purchaseId: string) {
  return db
    .select()
    .from(paymentAttempts)
    .where(eq(paymentAttempts.purchaseId, purchaseId))
    .orderBy(desc(paymentAttempts.sentAt), desc(paymentAttempts.id));
}

export function listRefundRows(db: Db, purchaseId: string) {
  return db.select().from(refunds).where(eq(refunds.purchaseId, purchaseId)).orderBy(desc(refunds.sentAt));
}

export function listDiscrepanciesOf(db: Db, purchaseId: string) {
  return db
    .select({
      id: discrepancies.id,
      kind: discrepancies.kind,
      foundAt: discrepancies.foundAt,
      resolvedAt: discrepancies.resolvedAt,
    })
    .from(discrepancies)
    .where(eq(discrepancies.purchaseId, purchaseId))
    .orderBy(desc(discrepancies.foundAt));
}
