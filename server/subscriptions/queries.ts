import { and, asc, desc, eq, gt, inArray, isNull, lte, ne, notExists, or, type SQL, sql } from "drizzle-orm";
import { plans } from "#server/catalogue/tables.ts";
import { after, DAY } from "#server/clock.ts";
import type { Db } from "#server/db/db.ts";
import { users } from "#server/identity/tables.ts";
import { type AttemptRow, openStates } from "#server/payments/attempts.ts";
import { paymentAttempts } from "#server/payments/tables.ts";
import type { PurchaseRow, PurchaseWithPlan } from "#server/purchases/purchases.ts";
import { purchases } from "#server/purchases/tables.ts";

/** The completed purchases of a student that renew, or did, newest first. */
export async function listSubscriptions(db: Db, userId: string): Promise<PurchaseWithPlan[]> {
  const rows = await db
    .select({ purchase: purchases, planName: plans.name })
    .from(purchases)
    .innerJoin(plans, eq(plans.id, purchases.planId))
    .where(and(eq(purchases.userId, userId), eq(purchases.isRecurring, true), eq(purchases.status, "completed")))
    .orderBy(desc(purchases.createdAt), desc(purchases.id));
  return rows.map((row) => ({ ...row.purchase, planName: row.planName }));
}

export async function updateSubscription(
  tx: Db,
  purchaseId: string,
  change: Partial<typeof purchases.$inferInsert>,
): Promise<void> {
  await tx.update(purchases).set(change).where(eq(purchases.id, purchaseId));
}

/** Tries to pay for what follows one paid period. */
export function countAttempts(db: Db, purchaseId: string, renewsFrom: Date | null): Promise<number> {
  return db.$count(paymentAttempts, ofPeriod(purchaseId, renewsFrom));
}

/**
 * How often the card of a subscription was tried since a time and did not pay. What the gateway refused because of our own
 * credentials reached no card network; a card that the student gives is counted with the declines of a checkout.
 */
export function countTries(db: Db, purchaseId: string, since: Date): Promise<number> {
  return db.$count(
    paymentAttempts,
    and(
      eq(paymentAttempts.purchaseId, purchaseId),
      eq(paymentAttempts.kind, "renewal"),
      ne(paymentAttempts.state, "approved"),
      isNull(paymentAttempts.clientHash),
      sql`${paymentAttempts.cause} is distinct from 'credentials'`,
      gt(paymentAttempts.sentAt, since),
    ),
  );
}

/** Attempts of a period that the gateway knows and that took no money; the next one needs another invoice. */
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

/** Attempts of a period since a time, null: ever, whose charge nobody could find. */
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

const renewing = and(
  eq(purchases.status, "completed"),
  eq(purchases.isRecurring, true),
  eq(purchases.subscriptionStatus, "active"),
);

/** Later than the end of what is paid it is after an administrator, or the academy, let the grace count anew. */
const isGraceless = sql`(${purchases.graceFrom} is null or ${purchases.graceFrom} < ${purchases.paidUntil})`;

/** Subscriptions whose paid period ends by `until` and which are not kept open past it yet. */
export function listGraceless(db: Db, until: Date, limit: number): Promise<PurchaseRow[]> {
  return db
    .select()
    .from(purchases)
    .where(and(renewing, lte(purchases.paidUntil, until), lte(purchases.nextBillingDate, until), isGraceless))
    .orderBy(asc(purchases.paidUntil))
    .limit(limit);
}

/** Notes that a paid period is followed by grace; false when it was noted before, or the period is another by now. */
export async function markGrace(tx: Db, purchaseId: string, paidUntil: Date): Promise<boolean> {
  const rows = await tx
    .update(purchases)
    .set({ graceFrom: paidUntil })
    .where(and(eq(purchases.id, purchaseId), renewing, eq(purchases.paidUntil, paidUntil), isGraceless))
    .returning({ id: purchases.id });
  return rows.length > 0;
}

/** Lets the grace of those that wait for a renewal, and were not refused, count from now. */
export async function countGraceAnew(tx: Db, now: Date): Promise<void> {
  await tx
    .update(purchases)
    .set({ graceFrom: now })
    .where(and(renewing, lte(purchases.nextBillingDate, now), isNull(purchases.declinedSince)));
}

/** Subscriptions that are due by `now`, the longest due first, but for those with a payment under way. */
export async function listDueRenewals(db: Db, now: Date, limit: number): Promise<string[]> {
  const open = db
    .select({ id: paymentAttempts.id })
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.userId, purchases.userId), inArray(paymentAttempts.state, [...openStates])));
  const rows = await db
    .select({ id: purchases.id })
    .from(purchases)
    .innerJoin(users, eq(users.id, purchases.userId))
    .where(and(renewing, lte(purchases.nextBillingDate, now), eq(users.accountStatus, "active"), notExists(open)))
    .orderBy(asc(purchases.nextBillingDate))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Subscriptions of active accounts that are due by `now`, also with a payment under way. */
export function listWaiting(db: Db, now: Date, limit: number): Promise<PurchaseRow[]> {
  return db
    .select()
    .from(purchases)
    .where(and(renewing, lte(purchases.nextBillingDate, now)))
    .orderBy(asc(purchases.nextBillingDate))
    .limit(limit);
}

/** Whether a subscription that may still be charged renews from this card, or a payment under way is made with it. */
export async function isCardInUse(db: Db, paymentProfileId: string): Promise<boolean> {
  const renews = and(eq(purchases.paymentProfileId, paymentProfileId), ne(purchases.subscriptionStatus, "cancelled"));
  const pays = and(
    eq(paymentAttempts.paymentProfileId, paymentProfileId),
    inArray(paymentAttempts.state, [...openStates]),
  );
  return (await db.$count(purchases, renews)) > 0 || (await db.$count(paymentAttempts, pays)) > 0;
}

/** Whether the owner of this card has a subscription that renews and whose own card is not kept yet. */
export async function isCardAwaited(db: Db, paymentProfileId: string): Promise<boolean> {
  const ofCard = db
    .select({ userId: purchases.userId })
    .from(purchases)
    .where(eq(purchases.paymentProfileId, paymentProfileId));
  const waits = and(renewing, isNull(purchases.paymentProfileId), inArray(purchases.userId, ofCard));
  return (await db.$count(purchases, waits)) > 0;
}

/** Gives a subscription a stored card, unless it has one. */
export async function addMissingCard(
  db: Db,
  purchaseId: string,
  card: { readonly customerProfileId: string; readonly paymentProfileId: string },
): Promise<void> {
  await db
    .update(purchases)
    .set(card)
    .where(and(eq(purchases.id, purchaseId), isNull(purchases.paymentProfileId)));
}

/** No subscription has this card any more. */
export async function removeCard(db: Db, paymentProfileId: string): Promise<void> {
  await db.update(purchases).set({ paymentProfileId: null }).where(eq(purchases.paymentProfileId, paymentProfileId));
}

/** After this long without a payment, for whatever reason, the student and the administrators are told. */
const unpaidTime = 7 * DAY;
/** An account that was held longer ago is no news. */
const newsTime = 14 * DAY;

/**
 * Refused first a week ago, or due for a week with an answer outstanding or all renewals stopped. What an academy that
 * did not run has not asked for yet is none of these.
 */
function isUnpaid(db: Db, now: Date, stoppedSince: Date | null): SQL | undefined {
  const weekAgo = after(now, -unpaidTime);
  const isStopped = stoppedSince !== null && stoppedSince <= weekAgo;
  const awaited = db
    .select({ purchaseId: paymentAttempts.purchaseId })
    .from(paymentAttempts)
    .where(and(inArray(paymentAttempts.state, [...openStates]), lte(paymentAttempts.sentAt, weekAgo)));
  const waits = and(
    lte(purchases.nextBillingDate, weekAgo),
    isStopped ? undefined : inArray(purchases.id, awaited),
    eq(purchases.subscriptionStatus, "active"),
  );
  const isHeld = and(
    eq(purchases.subscriptionStatus, "on_hold"),
    eq(purchases.paymentDeclined, true),
    gt(purchases.declinedSince, after(now, -newsTime)),
  );
  return and(
    eq(purchases.status, "completed"),
    eq(purchases.isRecurring, true),
    or(waits, and(lte(purchases.declinedSince, weekAgo), or(eq(purchases.subscriptionStatus, "active"), isHeld))),
  );
}

/** Whose renewal is unpaid for a week, and who were not told about this period. */
export function listUnpaidUntold(db: Db, now: Date, stoppedSince: Date | null, limit: number): Promise<PurchaseRow[]> {
  const isNew = sql`${purchases.unpaidToldFor} is distinct from ${purchases.paidUntil}`;
  return db
    .select()
    .from(purchases)
    .where(and(isUnpaid(db, now, stoppedSince), isNew))
    .limit(limit);
}

/** Notes that the student is told of a period; null when the renewal is not unpaid any more. */
export async function markUnpaidTold(
  tx: Db,
  { id, paidUntil }: PurchaseRow,
  now: Date,
  stoppedSince: Date | null,
): Promise<PurchaseRow | null> {
  const isSame = and(eq(purchases.id, id), isUnpaid(tx, now, stoppedSince));
  const [purchase] = await tx.update(purchases).set({ unpaidToldFor: paidUntil }).where(isSame).returning();
  return purchase ?? null;
}

/** The renewals that are unpaid for a week, the longest unpaid first, and how many there are in all. */
export async function listUnpaid(
  db: Db,
  now: Date,
  stoppedSince: Date | null,
  limit: number,
): Promise<{ unpaid: PurchaseRow[]; count: number }> {
  const where = isUnpaid(db, now, stoppedSince);
  const unpaid = await db.select().from(purchases).where(where).orderBy(asc(purchases.paidUntil)).limit(limit);
  return { unpaid, count: await db.$count(purchases, where) };
}
