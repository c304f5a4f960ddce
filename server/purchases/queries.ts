import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, ne, notExists, or, sql } from "drizzle-orm";
import { plans } from "#server/catalogue/tables.ts";
import type { Db } from "#server/db/db.ts";
import { users } from "#server/identity/tables.ts";
import type { Declines } from "./rules.ts";
import { type AttemptRow, cardValidations, type PurchaseRow, paymentAttempts, purchases } from "./tables.ts";

export type { AttemptRow, PurchaseRow } from "./tables.ts";

export const openStates = ["sent", "unknown", "held"] as const;

export async function findAttempt(
  db: Db,
  where: { id: string } | { idempotencyKey: string },
): Promise<AttemptRow | null> {
  const condition =
    "id" in where ? eq(paymentAttempts.id, where.id) : eq(paymentAttempts.idempotencyKey, where.idempotencyKey);
  const [row] = await db.select().from(paymentAttempts).where(condition);
  return row ?? null;
}

export async function lockAttempt(tx: Db, id: string): Promise<AttemptRow> {
  const [row] = await tx.select().from(paymentAttempts).where(eq(paymentAttempts.id, id)).for("update");
  if (!row) throw new Error(`there is no payment attempt ${id}`);
  return row;
}

export async function hasOpenAttempt(db: Db, userId: string): Promise<boolean> {
  const rows = await db
    .select({ id: paymentAttempts.id })
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.userId, userId), inArray(paymentAttempts.state, [...openStates])));
  return rows.length > 0;
}

/** The attempts of a student whose outcome is not known, oldest first. */
export async function listOpenAttempts(db: Db, userId: string): Promise<{ id: string; sentAt: Date }[]> {
  return db
    .select({ id: paymentAttempts.id, sentAt: paymentAttempts.sentAt })
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.userId, userId), inArray(paymentAttempts.state, [...openStates])))
    .orderBy(asc(paymentAttempts.sentAt));
}

/**
 * Cards that students gave since a time and that did not pay: of this student, from this client, and all together. Cards
 * on which the answer is outstanding count with the declined ones. In a transaction that holds `lockClient`, nobody else
 * of that client begins another try before it ends.
 */
export async function countDeclines(
  db: Db,
  { userId, clientHash }: { userId: string; clientHash: string },
  since: Date,
): Promise<Declines> {
  const countIn = (table: typeof paymentAttempts | typeof cardValidations) =>
    db
      .select({
        ofStudent: sql<number>`count(*) filter (where ${table.userId} = ${userId})::int`,
        ofClient: sql<number>`count(*) filter (where ${table.clientHash} = ${clientHash})::int`,
        ofAll: sql<number>`count(*)::int`,
      })
      .from(table)
      .$dynamic();
  const given = and(isNotNull(paymentAttempts.clientHash), gt(paymentAttempts.sentAt, since));
  // In one statement: of two, an attempt that is declined between them would be counted by neither.
  const declinedOrSent = or(eq(paymentAttempts.state, "declined"), eq(paymentAttempts.state, "sent"));
  const counted = [
    await countIn(paymentAttempts).where(and(given, declinedOrSent)),
    await countIn(cardValidations).where(and(ne(cardValidations.state, "kept"), gt(cardValidations.sentAt, since))),
  ].flat();
  const sum = (name: keyof Declines) => counted.reduce((total, row) => total + row[name], 0);
  return { ofStudent: sum("ofStudent"), ofClient: sum("ofClient"), ofAll: sum("ofAll") };
}

/** Has the tries of one client begin one after the other, on all nodes, until the transaction ends. Lock the user first. */
export async function lockClient(tx: Db, clientHash: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`cards of ${clientHash}`}, 0))`);
}

export async function findPurchase(db: Db, id: string): Promise<(PurchaseRow & { planName: string }) | null> {
  const [row] = await withPlan(db).where(eq(purchases.id, id));
  return row ? { ...row.purchase, planName: row.planName } : null;
}

export async function listPurchasesOfUser(db: Db, userId: string): Promise<(PurchaseRow & { planName: string })[]> {
  const rows = await withPlan(db)
    .where(eq(purchases.userId, userId))
    .orderBy(desc(purchases.createdAt), desc(purchases.id));
  return rows.map((row) => ({ ...row.purchase, planName: row.planName }));
}

function withPlan(db: Db) {
  return db
    .select({ purchase: purchases, planName: plans.name })
    .from(purchases)
    .innerJoin(plans, eq(plans.id, purchases.planId));
}

/** When the student last completed a purchase, or null. */
export async function lastCompletedAt(db: Db, userId: string): Promise<Date | null> {
  const [row] = await db
    .select({ completedAt: purchases.completedAt })
    .from(purchases)
    .where(and(eq(purchases.userId, userId), eq(purchases.status, "completed")))
    .orderBy(desc(purchases.completedAt))
    .limit(1);
  return row?.completedAt ?? null;
}

/** A purchase, held until the transaction ends. Lock its student first. */
export async function lockPurchase(tx: Db, id: string): Promise<PurchaseRow> {
  const [row] = await tx.select().from(purchases).where(eq(purchases.id, id)).for("update");
  if (!row) throw new Error(`there is no purchase ${id}`);
  return row;
}

/** The completed purchases of a student that renew, or did, newest first. */
export async function listMemberships(db: Db, userId: string): Promise<(PurchaseRow & { planName: string })[]> {
  return (await listPurchasesOfUser(db, userId)).filter(
    ({ isRecurring, status }) => isRecurring && status === "completed",
  );
}

/** Tries to pay for what follows one paid period. */
export function countAttempts(db: Db, purchaseId: string, renewsFrom: Date | null): Promise<number> {
  return db.$count(
    paymentAttempts,
    and(
      eq(paymentAttempts.purchaseId, purchaseId),
      eq(paymentAttempts.kind, "renewal"),
      renewsFrom ? eq(paymentAttempts.renewsFrom, renewsFrom) : isNull(paymentAttempts.renewsFrom),
    ),
  );
}

/**
 * How often the card of a membership was tried since a time and did not pay. What the gateway refused because of our own
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
      eq(paymentAttempts.purchaseId, purchaseId),
      eq(paymentAttempts.kind, "renewal"),
      renewsFrom ? eq(paymentAttempts.renewsFrom, renewsFrom) : isNull(paymentAttempts.renewsFrom),
      or(
        eq(paymentAttempts.state, "declined"),
        and(eq(paymentAttempts.state, "not-processed"), eq(paymentAttempts.cause, "not-paid")),
      ),
    ),
  );
}

export const renewing = and(
  eq(purchases.status, "completed"),
  eq(purchases.isRecurring, true),
  eq(purchases.subscriptionStatus, "active"),
);

/** Later than the end of what is paid it is after an administrator, or the academy, let the grace count anew. */
const isGraceless = sql`(${purchases.graceFrom} is null or ${purchases.graceFrom} < ${purchases.paidUntil})`;

/** Memberships whose paid period ends by `until` and which are not kept open past it yet. */
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

/** Memberships that are due by `now`, the longest due first, but for those with a payment under way. */
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

/** Memberships of active accounts that are due by `now`, also with a payment under way. */
export function listWaiting(db: Db, now: Date, limit: number): Promise<PurchaseRow[]> {
  return db
    .select()
    .from(purchases)
    .where(and(renewing, lte(purchases.nextBillingDate, now)))
    .orderBy(asc(purchases.nextBillingDate))
    .limit(limit);
}

/** A plan's name as it is sold now. */
export async function findPlanName(db: Db, planId: string): Promise<string> {
  const [plan] = await db.select({ name: plans.name }).from(plans).where(eq(plans.id, planId));
  return plan?.name ?? planId;
}

/** Whether a membership that may still be charged renews from this card, or a payment under way is made with it. */
export async function isCardInUse(db: Db, paymentProfileId: string): Promise<boolean> {
  const renews = and(eq(purchases.paymentProfileId, paymentProfileId), ne(purchases.subscriptionStatus, "cancelled"));
  const pays = and(
    eq(paymentAttempts.paymentProfileId, paymentProfileId),
    inArray(paymentAttempts.state, [...openStates]),
  );
  return (await db.$count(purchases, renews)) > 0 || (await db.$count(paymentAttempts, pays)) > 0;
}

/** Whether the owner of this card has a membership that renews and whose own card is not kept yet. */
export async function isCardAwaited(db: Db, paymentProfileId: string): Promise<boolean> {
  const ofCard = db
    .select({ userId: purchases.userId })
    .from(purchases)
    .where(eq(purchases.paymentProfileId, paymentProfileId));
  const waits = and(renewing, isNull(purchases.paymentProfileId), inArray(purchases.userId, ofCard));
  return (await db.$count(purchases, waits)) > 0;
}
