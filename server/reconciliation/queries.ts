import { and, asc, desc, eq, gte, inArray, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { DAY } from "#server/base/clock.ts";
import { plans } from "#server/catalogue/tables.ts";
import type { Db } from "#server/db/db.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { users } from "#server/identity/tables.ts";
import { isCharge } from "#server/payments/attempts.ts";
import { paymentAttempts } from "#server/payments/tables.ts";
import { isCompleted, nameOfSoldPlan } from "#server/purchases/purchases.ts";
import { purchases } from "#server/purchases/tables.ts";
import { isReturned, openRefundStates } from "#server/refunds/refunds.ts";
import { refunds } from "#server/refunds/tables.ts";
import type { RecheckWindow, RecordedCharge, RecordedReturn } from "./recorded-charges.ts";
import { reconciliationRuns, webhooks } from "./tables.ts";

const good = alias(reconciliationRuns, "good");

export type RunRow = typeof reconciliationRuns.$inferSelect;

export async function listAbout(
  db: Db,
  of: { readonly purchaseIds: readonly string[]; readonly userIds: readonly string[] },
): Promise<{ people: ReadonlyMap<string, Person>; bought: ReadonlyMap<string, Bought> }> {
  const { purchaseIds, userIds } = of;
  const rows =
    purchaseIds.length === 0
      ? []
      : await db
          .select({ id: purchases.id, userId: purchases.userId, planName: nameOfSoldPlan(db) })
          .from(purchases)
          .innerJoin(plans, eq(plans.id, purchases.planId))
          .where(inArray(purchases.id, [...purchaseIds]));
  const { id, firstName, lastName, email, accountStatus } = users;
  const ids = [...userIds, ...rows.map((row) => row.userId)];
  const named =
    ids.length === 0
      ? []
      : await db.select({ id, firstName, lastName, email, accountStatus }).from(users).where(inArray(id, ids));
  return {
    people: new Map(named.map((person) => [person.id, person])),
    bought: new Map(rows.map((row) => [row.id, row])),
  };
}

export interface Bought {
  readonly userId: string;
  readonly planName: string;
}

export type Person = Pick<typeof users.$inferSelect, "firstName" | "lastName" | "email" | "accountStatus">;

export async function insertRun(db: Db, run: Omit<RunRow, "id">): Promise<void> {
  await db.insert(reconciliationRuns).values(run);
}

export async function lastRun(db: Db, { good }: { good: boolean }): Promise<RunRow | null> {
  const [row] = await db
    .select()
    .from(reconciliationRuns)
    .where(good ? isNull(reconciliationRuns.error) : undefined)
    .orderBy(desc(reconciliationRuns.startedAt), desc(reconciliationRuns.finishedAt))
    .limit(1);
  return row ?? null;
}

/** Keeps the last successful run, because the next one compares from there. */
export const runRetention: RetentionRule = {
  table: reconciliationRuns,
  from: reconciliationRuns.startedAt,
  keptFor: 365 * DAY,
  where: (db) =>
    lt(
      reconciliationRuns.startedAt,
      db
        .select({ last: sql`max(${good.startedAt})` })
        .from(good)
        .where(isNull(good.error)),
    ),
};

/** `isNew` is false for a repeated one. */
export async function insertWebhook(
  db: Db,
  webhook: { id: string; event: string; transactionId: string | null; body: string },
  now: Date,
): Promise<{ isNew: boolean }> {
  const rows = await db
    .insert(webhooks)
    .values({ ...webhook, receivedAt: now })
    .onConflictDoNothing()
    .returning({ id: webhooks.id });
  if (rows.length > 0) return { isNew: true };
  await db
    .update(webhooks)
    .set({ isConflicting: true })
    .where(and(eq(webhooks.id, webhook.id), ne(webhooks.body, webhook.body)));
  return { isNew: false };
}

export async function findWebhook(db: Db, id: string): Promise<typeof webhooks.$inferSelect | null> {
  const [row] = await db.select().from(webhooks).where(eq(webhooks.id, id));
  return row ?? null;
}

export async function markApplied(db: Db, id: string, now: Date): Promise<void> {
  await db.update(webhooks).set({ appliedAt: now }).where(eq(webhooks.id, id));
}

export function listRecordedCharges(
  db: Db,
  of: { readonly transactionIds: readonly string[]; readonly invoiceNumbers: readonly string[] },
): Promise<RecordedCharge[]> {
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
  return recordedChargesWhere(
    db,
    or(
      inArray(paymentAttempts.transactionId, transactionIds),
      inArray(paymentAttempts.invoiceNumber, invoiceNumbers),
      inArray(paymentAttempts.id, paidBack),
    ),
  );
}

/** Of purchases of which something is kept. */
export function listApprovedSince(db: Db, since: Date): Promise<RecordedCharge[]> {
  return recordedChargesWhere(db, and(isCharge, isCompleted, gte(paymentAttempts.resolvedAt, since)));
}

/** Those that completed purchases have as their transaction id. */
export async function listNumbersOfPurchases(db: Db, transactionIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (transactionIds.length === 0) return new Set();
  const rows = await db
    .select({ transactionId: purchases.transactionId })
    .from(purchases)
    .where(and(inArray(purchases.transactionId, [...transactionIds]), isCompleted));
  return new Set(rows.flatMap(({ transactionId }) => transactionId ?? []));
}

export function listPaidBackSince(db: Db, since: Date): Promise<RecordedCharge[]> {
  const made = and(isReturned, gte(sql`coalesce(${refunds.resolvedAt}, ${refunds.sentAt})`, since));
  return recordedChargesWhere(
    db,
    inArray(paymentAttempts.id, db.select({ id: refunds.attemptId }).from(refunds).where(made)),
  );
}

/** The longest unchecked first. */
export async function listChargesToRecheck(db: Db, window: RecheckWindow, limit: number): Promise<RecordedCharge[]> {
  const lastKnown = sql`coalesce(${paymentAttempts.checkedAt}, ${paymentAttempts.resolvedAt})`;
  const chosen = db
    .select({ id: paymentAttempts.id })
    .from(paymentAttempts)
    .where(
      and(isCharge, gte(paymentAttempts.resolvedAt, window.madeSince), sql`${lastKnown} < ${window.checkedBefore}`),
    )
    .orderBy(asc(lastKnown))
    .limit(limit);
  return recordedChargesWhere(db, inArray(paymentAttempts.id, chosen));
}

/** The longest unchecked first, including those that were never checked. */
export async function listRefundsToRecheck(db: Db, window: RecheckWindow, limit: number): Promise<RecordedCharge[]> {
  const lastKnown = sql`coalesce(${refunds.checkedAt}, ${refunds.resolvedAt}, ${refunds.sentAt})`;
  const chosen = db
    .select({ id: refunds.attemptId })
    .from(refunds)
    .where(
      and(
        isReturned,
        eq(refunds.kind, "refund"),
        // Checks each once, however old it is.
        or(isNull(refunds.checkedAt), gte(refunds.sentAt, window.madeSince)),
        sql`${lastKnown} < ${window.checkedBefore}`,
      ),
    )
    .orderBy(asc(lastKnown))
    .limit(limit);
  return recordedChargesWhere(db, inArray(paymentAttempts.id, chosen));
}

export async function findChargeByNumber(db: Db, transactionId: string): Promise<RecordedCharge | null> {
  const [found] = await recordedChargesWhere(db, and(eq(paymentAttempts.transactionId, transactionId), isCharge));
  return found ?? null;
}

async function recordedChargesWhere(db: Db, where: SQL | undefined): Promise<RecordedCharge[]> {
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

async function listReturns(db: Db, attemptIds: readonly string[]): Promise<ReadonlyMap<string, RecordedReturn[]>> {
  if (attemptIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(refunds)
    .where(and(inArray(refunds.attemptId, [...attemptIds]), inArray(refunds.state, [...openRefundStates, "returned"])))
    .orderBy(asc(refunds.sentAt));
  const returns = rows.map(({ id: refundId, state, amount: amountCents, ...row }) => ({
    attemptId: row.attemptId,
    refundId,
    kind: row.kind,
    state: state as RecordedReturn["state"],
    amountCents,
    transactionId: row.transactionId,
    invoiceNumber: row.invoiceNumber ?? refundId,
    sentAt: row.sentAt,
  }));
  return Map.groupBy(returns, ({ attemptId }) => attemptId);
}
