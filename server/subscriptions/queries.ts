import {
  and,
  asc,
  desc,
  eq,
  exists,
  getColumns,
  gt,
  inArray,
  isNull,
  lte,
  ne,
  notExists,
  notInArray,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { after, DAY } from "#server/base/clock.ts";
import { plans } from "#server/catalogue/tables.ts";
import type { Db } from "#server/db/db.ts";
import { whatStops } from "#server/discrepancies/discrepancies.ts";
import { users } from "#server/identity/tables.ts";
import { type AttemptRow, openStates } from "#server/payments/attempts.ts";
import type { PaymentMethodRow } from "#server/payments/payment-methods.ts";
import { paymentAttempts, paymentMethods } from "#server/payments/tables.ts";
import { renewingStatuses, type SubscriptionState, statusesShownAs } from "./rules.ts";
import { subscriptions } from "./tables.ts";

/** With the plan's current name. */
export type Subscription = typeof subscriptions.$inferSelect & {
  readonly planName: string;
  readonly card: PaymentMethodRow;
};

const { isPaid } = subscriptions;

export type CurrentSubscription = Pick<
  Subscription,
  "id" | "userId" | "tier" | "status" | "currentPeriodEnd" | "dunningSince" | "reopenedUntil"
>;

export function listSubscriptions(db: Db, userId: string): Promise<Subscription[]> {
  return listSubscriptionsOf(db, [userId]);
}

export async function listSubscriptionsOf(db: Db, userIds: readonly string[]): Promise<Subscription[]> {
  if (userIds.length === 0) return [];
  return found(db, and(inArray(subscriptions.userId, [...userIds]), isPaid));
}

/** Those that are not cancelled, the newest first, without plan and card: fast for many students. */
export function listCurrentOfMany(db: Db, userIds: readonly string[]): Promise<CurrentSubscription[]> {
  const { id, userId, tier, status, currentPeriodEnd, dunningSince, reopenedUntil } = subscriptions;
  return db
    .select({ id, userId, tier, status, currentPeriodEnd, dunningSince, reopenedUntil })
    .from(subscriptions)
    .where(and(sql`${userId} = any(${sql.param([...userIds])})`, ne(status, "cancelled"), isPaid))
    .orderBy(desc(subscriptions.createdAt), desc(id));
}

/** Includes those whose purchase is no longer in effect. */
export async function listOfPurchases(db: Db, purchaseIds: readonly string[]): Promise<Subscription[]> {
  if (purchaseIds.length === 0) return [];
  return found(db, inArray(subscriptions.purchaseId, [...purchaseIds]));
}

export async function findByPurchase(db: Db, purchaseId: string): Promise<Subscription | null> {
  const [one] = await listOfPurchases(db, [purchaseId]);
  return one ?? null;
}

/** Lock its student first. */
export async function lockByPurchase(tx: Db, purchaseId: string): Promise<Subscription> {
  await tx
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(eq(subscriptions.purchaseId, purchaseId))
    .for("update");
  const subscription = await findByPurchase(tx, purchaseId);
  if (!subscription) throw new Error(`no subscription began with the purchase ${purchaseId}`);
  return subscription;
}

async function found(db: Db, where: SQL | undefined): Promise<Subscription[]> {
  const rows = await withCard(db).where(where).orderBy(desc(subscriptions.createdAt), desc(subscriptions.id));
  return rows.map(present);
}

function withCard(db: Db) {
  return db
    .select({
      subscription: getColumns(subscriptions),
      planName: plans.name,
      card: getColumns(paymentMethods),
    })
    .from(subscriptions)
    .innerJoin(plans, eq(plans.id, subscriptions.planId))
    .innerJoin(paymentMethods, eq(paymentMethods.id, subscriptions.paymentMethodId))
    .$dynamic();
}

function present(row: Awaited<ReturnType<typeof withCard>>[number]): Subscription {
  const { subscription, planName, card } = row;
  return { ...subscription, planName, card };
}

/** A purchase that completes again resets its subscription. */
export async function beginSubscription(tx: Db, subscription: typeof subscriptions.$inferInsert): Promise<void> {
  const { id: _id, ...anew } = subscription;
  await tx
    .insert(subscriptions)
    .values(subscription)
    .onConflictDoUpdate({ target: subscriptions.purchaseId, set: { ...anew, ...nothingAgainstIt } });
}

const nothingAgainstIt = {
  ...{
    graceFrom: null,
    dunningSince: null,
    reopenedUntil: null,
    declinedForGood: false,
    cancelledAt: null,
    heldAt: null,
  },
} as const;

export async function updateSubscription(
  tx: Db,
  id: string,
  change: Partial<SubscriptionState> & {
    readonly lastAttemptAt?: Date;
    readonly paymentMethodId?: string;
    readonly price?: number;
    readonly discountedLeft?: number;
    readonly laterPrice?: number | null;
  },
): Promise<void> {
  await tx.update(subscriptions).set(change).where(eq(subscriptions.id, id));
}

export function countAttempts(db: Db, purchaseId: string, renewsFrom: Date | null): Promise<number> {
  return db.$count(paymentAttempts, ofPeriod(purchaseId, renewsFrom));
}

/** Counts what card networks saw as retries: neither refusals of our credentials, nor cards that students submitted. */
export function countTries(db: Db, purchaseId: string, since: Date): Promise<number> {
  return db.$count(
    paymentAttempts,
    and(
      eq(paymentAttempts.purchaseId, purchaseId),
      eq(paymentAttempts.kind, "renewal"),
      ne(paymentAttempts.state, "approved"),
      eq(paymentAttempts.initiatedBy, "renewal"),
      sql`${paymentAttempts.cause} is distinct from 'credentials'`,
      gt(paymentAttempts.sentAt, since),
    ),
  );
}

/** Attempts that used up their invoice number without taking money. */
export function countInvoiced(db: Db, purchaseId: string, renewsFrom: Date | null): Promise<number> {
  return db.$count(
    paymentAttempts,
    and(
      ofPeriod(purchaseId, renewsFrom),
      or(
        eq(paymentAttempts.state, "declined"),
        and(eq(paymentAttempts.state, "not-processed"), eq(paymentAttempts.cause, "not-paid")),
      ),
    ),
  );
}

/** @param since null: from the beginning */
export function countNotFound(db: Db, purchaseId: string, renewsFrom: Date, since: Date | null): Promise<number> {
  return db.$count(
    paymentAttempts,
    and(
      ofPeriod(purchaseId, renewsFrom),
      eq(paymentAttempts.state, "not-processed"),
      eq(paymentAttempts.cause, "not-found"),
      ...(since ? [gt(paymentAttempts.sentAt, since)] : []),
    ),
  );
}

function ofPeriod(purchaseId: string, renewsFrom: Date | null): SQL | undefined {
  return and(
    eq(paymentAttempts.purchaseId, purchaseId),
    eq(paymentAttempts.kind, "renewal"),
    renewsFrom ? eq(paymentAttempts.renewsFrom, renewsFrom) : isNull(paymentAttempts.renewsFrom),
  );
}

export async function findLastRenewal(db: Db, purchaseId: string): Promise<AttemptRow | null> {
  const [last] = await db
    .select()
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.purchaseId, purchaseId), eq(paymentAttempts.kind, "renewal")))
    .orderBy(desc(paymentAttempts.sentAt))
    .limit(1);
  return last ?? null;
}

const isRenewing = inArray(subscriptions.status, [...renewingStatuses]);

/** With the price that lasts, also while a coupon discounts it. */
export const subscriptionFigures = sql`(
  select purchase_id, coalesce(later_price, price) as price, begun_at, is_paid, current_period_end, dunning_since, cancelled_at,
    case when ${eq(subscriptions.status, "held")} then held_at end as held_at,
    ${inArray(subscriptions.status, statusesShownAs.active)} as is_shown_active,
    ${eq(subscriptions.status, "declined")} as is_declined
  from ${subscriptions})`;

/**
 * No grace period was recorded for this period. `graceFrom` is later where an administrator, or the end of a stop,
 * restarted it.
 */
const lacksGrace = sql`(${subscriptions.graceFrom} is null or ${subscriptions.graceFrom} < ${subscriptions.currentPeriodEnd})`;

export async function listWithoutGrace(db: Db, until: Date, limit: number): Promise<Subscription[]> {
  const ends = and(lte(subscriptions.currentPeriodEnd, until), lte(subscriptions.nextChargeAt, until));
  const rows = await withCard(db)
    .where(and(isPaid, isRenewing, ends, lacksGrace))
    .orderBy(asc(subscriptions.currentPeriodEnd))
    .limit(limit);
  return rows.map(present);
}

/** False when it was recorded before, or another period has begun. */
export async function markGrace(tx: Db, { id, currentPeriodEnd }: Subscription): Promise<boolean> {
  const isSame = and(eq(subscriptions.id, id), eq(subscriptions.currentPeriodEnd, currentPeriodEnd));
  const rows = await tx
    .update(subscriptions)
    .set({ graceFrom: currentPeriodEnd })
    .where(and(isSame, isRenewing, isPaid, lacksGrace))
    .returning({ id: subscriptions.id });
  return rows.length > 0;
}

/** Restarts the grace period of renewals that were stopped and not refused. */
export async function restartGrace(tx: Db, now: Date): Promise<void> {
  await tx
    .update(subscriptions)
    .set({ graceFrom: now })
    .where(and(isRenewing, isPaid, lte(subscriptions.nextChargeAt, now), isNull(subscriptions.dunningSince)));
}

/** Whether a subscription renews once it is due: without an open payment or dispute. For queries that join users. */
export function isRenewable(db: Db): SQL | undefined {
  const open = db
    .select({ id: paymentAttempts.id })
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.userId, subscriptions.userId), inArray(paymentAttempts.state, [...openStates])));
  const stops = whatStops(db, "charges", subscriptions.userId);
  return and(isPaid, isRenewing, eq(users.accountStatus, "active"), notExists(open), notExists(stops));
}

/** The longest due first. */
export async function listDueRenewals(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ purchaseId: subscriptions.purchaseId })
    .from(subscriptions)
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .where(and(isRenewable(db), lte(subscriptions.nextChargeAt, now)))
    .orderBy(asc(subscriptions.nextChargeAt))
    .limit(limit);
  return rows.map(({ purchaseId }) => purchaseId);
}

/** Due ones, also with an open payment. `areDisputed`: only those of students with a dispute. */
export async function listWaiting(
  db: Db,
  now: Date,
  { areDisputed, limit }: { readonly areDisputed: boolean; readonly limit: number },
): Promise<Subscription[]> {
  const disputed = areDisputed ? exists(whatStops(db, "charges", subscriptions.userId)) : undefined;
  const rows = await withCard(db)
    .where(and(isPaid, isRenewing, lte(subscriptions.nextChargeAt, now), disputed))
    .orderBy(asc(subscriptions.nextChargeAt))
    .limit(limit);
  return rows.map(present);
}

export async function isCardInUse(db: Db, paymentProfileId: string): Promise<boolean> {
  const [renews] = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .innerJoin(paymentMethods, eq(paymentMethods.id, subscriptions.paymentMethodId))
    .where(and(eq(paymentMethods.paymentProfileId, paymentProfileId), ne(subscriptions.status, "cancelled")))
    .limit(1);
  const pays = and(
    eq(paymentAttempts.paymentProfileId, paymentProfileId),
    inArray(paymentAttempts.state, [...openStates]),
  );
  return renews !== undefined || (await db.$count(paymentAttempts, pays)) > 0;
}

export async function isCardAwaited(db: Db, paymentProfileId: string): Promise<boolean> {
  const owner = db
    .select({ userId: paymentMethods.userId })
    .from(paymentMethods)
    .where(eq(paymentMethods.paymentProfileId, paymentProfileId));
  const [waits] = await withCard(db)
    .where(and(isPaid, isRenewing, isNull(paymentMethods.paymentProfileId), inArray(subscriptions.userId, owner)))
    .limit(1);
  return waits !== undefined;
}

const unpaidTime = 7 * DAY;
/** Accounts on hold for longer are no longer reported. */
const newsTime = 14 * DAY;

/** Not those that were never tried, because the academy did not run, and not of suspended accounts, which no card may pay for. */
function isUnpaid(db: Db, now: Date, stoppedSince: Date | null): SQL | undefined {
  const weekAgo = after(now, -unpaidTime);
  const isStopped = stoppedSince !== null && stoppedSince <= weekAgo;
  const awaited = db
    .select({ purchaseId: paymentAttempts.purchaseId })
    .from(paymentAttempts)
    .where(and(inArray(paymentAttempts.state, [...openStates]), lte(paymentAttempts.sentAt, weekAgo)));
  const waits = and(
    isRenewing,
    lte(subscriptions.nextChargeAt, weekAgo),
    isStopped ? undefined : inArray(subscriptions.purchaseId, awaited),
  );
  const isHeld = and(eq(subscriptions.status, "on_hold"), gt(subscriptions.dunningSince, after(now, -newsTime)));
  const suspended = db.select({ id: users.id }).from(users).where(eq(users.accountStatus, "suspended"));
  return and(
    isPaid,
    or(waits, and(lte(subscriptions.dunningSince, weekAgo), or(isRenewing, isHeld))),
    notInArray(subscriptions.userId, suspended),
  );
}

export async function listUnpaidToNotify(
  db: Db,
  now: Date,
  stoppedSince: Date | null,
  limit: number,
): Promise<Subscription[]> {
  const isNew = sql`${subscriptions.unpaidToldFor} is distinct from ${subscriptions.currentPeriodEnd}`;
  const rows = await withCard(db)
    .where(and(isUnpaid(db, now, stoppedSince), isNew))
    .limit(limit);
  return rows.map(present);
}

/** False when the renewal is no longer unpaid. */
export async function recordUnpaidNotified(
  tx: Db,
  { id, currentPeriodEnd }: Subscription,
  now: Date,
  stoppedSince: Date | null,
): Promise<boolean> {
  const rows = await tx
    .update(subscriptions)
    .set({ unpaidToldFor: currentPeriodEnd })
    .where(and(eq(subscriptions.id, id), isUnpaid(tx, now, stoppedSince)))
    .returning({ id: subscriptions.id });
  return rows.length > 0;
}

/** The longest unpaid first. */
export async function listUnpaid(db: Db, now: Date, stoppedSince: Date | null, limit: number): Promise<Subscription[]> {
  const rows = await withCard(db)
    .where(isUnpaid(db, now, stoppedSince))
    .orderBy(asc(subscriptions.currentPeriodEnd))
    .limit(limit);
  return rows.map(present);
}

export function countUnpaid(db: Db, now: Date, stoppedSince: Date | null): Promise<number> {
  return db.$count(subscriptions, isUnpaid(db, now, stoppedSince));
}
