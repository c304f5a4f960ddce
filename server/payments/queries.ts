import { and, asc, countDistinct, eq, gt, inArray, lte, ne, or, sql } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { receiptNumberOf } from "./receipt-numbers.ts";
import type { Declines } from "./rules.ts";
import { openStates } from "./states.ts";
import { type AttemptRow, cardValidations, paymentAttempts } from "./tables.ts";

/** Counts cards without an answer too. `lockClient` serializes tries of a client. */
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
  const given = and(eq(paymentAttempts.initiatedBy, "student"), gt(paymentAttempts.sentAt, since));
  // One statement: with two, an attempt that is declined in between would be counted by neither.
  const declinedOrSent = or(eq(paymentAttempts.state, "declined"), eq(paymentAttempts.state, "sent"));
  const counted = [
    await countIn(paymentAttempts).where(and(given, declinedOrSent)),
    await countIn(cardValidations).where(and(ne(cardValidations.state, "kept"), gt(cardValidations.sentAt, since))),
  ].flat();
  const sum = (name: keyof Declines) => counted.reduce((total, row) => total + row[name], 0);
  return { ofStudent: sum("ofStudent"), ofClient: sum("ofClient"), ofAll: sum("ofAll") };
}

/** Holds across all nodes until the transaction ends. Lock the user first. */
export async function lockClient(tx: Db, clientHash: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`cards of ${clientHash}`}, 0))`);
}

/** Includes the attempt itself. Retries of a renewal share their invoice number. */
export function listOfInvoice(db: Db, { invoiceNumber }: AttemptRow): Promise<AttemptRow[]> {
  return db.select().from(paymentAttempts).where(eq(paymentAttempts.invoiceNumber, invoiceNumber));
}

/** Without the attempt itself. */
export async function listOfPeriod(db: Db, { id, purchaseId, renewsFrom }: AttemptRow): Promise<AttemptRow[]> {
  if (renewsFrom === null) return [];
  const ofPeriod = and(eq(paymentAttempts.purchaseId, purchaseId), eq(paymentAttempts.renewsFrom, renewsFrom));
  return db
    .select()
    .from(paymentAttempts)
    .where(and(ofPeriod, ne(paymentAttempts.id, id)));
}

export async function isOfAnother(db: Db, attemptId: string, transactionId: string): Promise<boolean> {
  const byAnother = and(eq(paymentAttempts.transactionId, transactionId), ne(paymentAttempts.id, attemptId));
  return (await db.$count(paymentAttempts, byAnother)) > 0;
}

export const isCharge = eq(paymentAttempts.state, "approved");

export const charges = sql`(select * from ${paymentAttempts} where ${isCharge})`;

export const openPayments = sql`(select * from ${paymentAttempts} where ${inArray(paymentAttempts.state, [...openStates])})`;

export const declinedRenewals = sql`(select * from ${paymentAttempts}
  where ${eq(paymentAttempts.state, "declined")} and ${eq(paymentAttempts.kind, "renewal")})`;

/** In cents, by purchase. */
export async function sumCharged(db: Db, purchaseIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (purchaseIds.length === 0) return new Map();
  const rows = await db
    .select({
      purchaseId: paymentAttempts.purchaseId,
      cents: sql<number>`(sum(${paymentAttempts.amount}) * 100)::float8`,
    })
    .from(paymentAttempts)
    .where(and(inArray(paymentAttempts.purchaseId, [...purchaseIds]), isCharge))
    .groupBy(paymentAttempts.purchaseId);
  return new Map(rows.map(({ purchaseId, cents }) => [purchaseId, cents]));
}

/** By purchase, the oldest first. */
export async function listReceiptNumbers(
  db: Db,
  purchaseIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db
    .select()
    .from(paymentAttempts)
    .where(and(inArray(paymentAttempts.purchaseId, [...purchaseIds]), isCharge))
    .orderBy(asc(paymentAttempts.sentAt), asc(paymentAttempts.id));
  return new Map(
    Object.entries(Object.groupBy(rows, ({ purchaseId }) => purchaseId)).map(([id, charges = []]) => [
      id,
      charges.map(receiptNumberOf),
    ]),
  );
}

export function countUnknown(db: Db, sentBy: Date): Promise<number> {
  const isUnknown = inArray(paymentAttempts.state, ["sent", "unknown"]);
  return db.$count(paymentAttempts, and(isUnknown, lte(paymentAttempts.sentAt, sentBy)));
}

export function countInStates(db: Db, states: readonly AttemptRow["state"][]): Promise<number> {
  return db.$count(paymentAttempts, inArray(paymentAttempts.state, [...states]));
}

/** Other students, also deleted ones, who paid with a card of this brand and these digits. */
export async function countOthersWithCard(
  db: Db,
  { brand, last4 }: { readonly brand: string; readonly last4: string },
  userId: string,
): Promise<number> {
  const isSame = and(eq(paymentAttempts.last4, last4), eq(paymentAttempts.brand, brand));
  const [row] = await db
    .select({ accounts: countDistinct(paymentAttempts.userId) })
    .from(paymentAttempts)
    .where(and(isSame, isCharge, ne(paymentAttempts.userId, userId)));
  return row?.accounts ?? 0;
}
