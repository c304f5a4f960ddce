import { and, asc, desc, eq, gt, gte, inArray, lte, sql } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { openRefundStates } from "./rules.ts";
import { type RefundRow, refunds } from "./tables.ts";

export const isReturned = eq(refunds.state, "returned");

export const returns = sql`(select * from ${refunds} where ${isReturned})`;

export const openReturns = sql`(select * from ${refunds} where ${inArray(refunds.state, [...openRefundStates])})`;

/** Refunded cents, by purchase or by charge. */
export async function sumReturned(
  db: Db,
  by: "purchaseId" | "attemptId",
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: refunds[by], cents: sql<number>`(sum(${refunds.amount}) * 100)::float8` })
    .from(refunds)
    .where(and(inArray(refunds[by], [...ids]), isReturned))
    .groupBy(refunds[by]);
  return new Map(rows.map(({ id, cents }) => [id, cents]));
}

/** Refunded cents of a charge. */
export async function refundedOf(db: Db, attemptId: string): Promise<number> {
  return (await sumReturned(db, "attemptId", [attemptId])).get(attemptId) ?? 0;
}

/** Only refunds of exactly this amount. */
export async function wasRefundedSince(db: Db, attemptId: string, amountCents: number, since: Date): Promise<boolean> {
  const same = and(eq(refunds.attemptId, attemptId), eq(refunds.amount, amountCents), gt(refunds.sentAt, since));
  return (await db.$count(refunds, and(same, isReturned))) > 0;
}

/**
 * Reuses the invoice number of a refund of this amount whose reply was lost, so that the gateway detects a duplicate.
 */
export async function invoiceOfNext(db: Db, attemptId: string, amountCents: number): Promise<string> {
  const [last] = await db
    .select({ invoiceNumber: refunds.invoiceNumber, cause: refunds.cause })
    .from(refunds)
    .where(and(eq(refunds.attemptId, attemptId), eq(refunds.amount, amountCents)))
    .orderBy(desc(refunds.sentAt), desc(refunds.id))
    .limit(1);
  return (last?.cause === "not-found" ? last.invoiceNumber : null) ?? newId();
}

/** Includes open and refused ones. */
export function listRefundsOf(db: Db, attemptId: string): Promise<RefundRow[]> {
  return db.select().from(refunds).where(eq(refunds.attemptId, attemptId));
}

/** Open refunds, the oldest first. */
export function listOpenSent(
  db: Db,
  { sentSince, sentBy }: { readonly sentSince: Date; readonly sentBy: Date },
): Promise<{ id: string }[]> {
  const isSent = and(gte(refunds.sentAt, sentSince), lte(refunds.sentAt, sentBy));
  return db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(inArray(refunds.state, [...openRefundStates]), isSent))
    .orderBy(asc(refunds.sentAt));
}

export async function hasOpenRefund(db: Db, purchaseId: string): Promise<boolean> {
  const rows = await db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(eq(refunds.purchaseId, purchaseId), inArray(refunds.state, [...openRefundStates])));
  return rows.length > 0;
}

export async function findRefund(db: Db, id: string): Promise<RefundRow | null> {
  const [row] = await db.select().from(refunds).where(eq(refunds.id, id));
  return row ?? null;
}

export async function lockRefund(tx: Db, id: string): Promise<RefundRow> {
  const [row] = await tx.select().from(refunds).where(eq(refunds.id, id)).for("update");
  if (!row) throw new Error(`there is no refund ${id}`);
  return row;
}
