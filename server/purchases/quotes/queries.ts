import { isDeepStrictEqual } from "node:util";
import { and, desc, eq, gt, inArray, ne } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { purchases, quotes } from "../tables.ts";
import { QuoteBasis } from "./rules.ts";

type NewQuote = typeof quotes.$inferInsert & { readonly basis: QuoteBasis };

/** Null also for a quote whose basis another release wrote in another form. */
export async function findQuote(db: Db, id: string, userId: string) {
  const [row] = await db
    .select()
    .from(quotes)
    .where(and(eq(quotes.id, id), eq(quotes.userId, userId)));
  const { data: basis } = QuoteBasis.safeParse(row?.basis);
  return row && basis ? { ...row, basis } : null;
}

/** Enough for the pages that a student has open. */
const quotesKept = 20;

/** Returns a valid quote with the same basis that no payment has used, else adds one and deletes the oldest. */
export async function saveQuote(tx: Db, quote: NewQuote) {
  const { userId, planId, basis, createdAt: now } = quote;
  const isSame = and(eq(quotes.userId, userId), eq(quotes.planId, planId), gt(quotes.expiresAt, now));
  for (const row of await tx.select().from(quotes).where(isSame)) {
    if (!isDeepStrictEqual(row.basis, basis) || (await isQuoteTaken(tx, row.id))) continue;
    // A payment compares as of this instant: what began and ended before it must not count as a change.
    await tx.update(quotes).set({ createdAt: now }).where(eq(quotes.id, row.id));
    return row;
  }
  const [row] = await tx.insert(quotes).values(quote).returning();
  if (!row) throw new Error("an insert returned no row");
  const older = tx
    .select({ id: quotes.id })
    .from(quotes)
    .where(and(eq(quotes.userId, userId), ne(quotes.id, row.id)))
    .orderBy(desc(quotes.createdAt))
    .offset(quotesKept - 1);
  await tx.delete(quotes).where(inArray(quotes.id, older));
  return row;
}

/** True when a payment with the quote was made, or may have been. A declined one does not count. */
export async function isQuoteTaken(db: Db, quoteId: string): Promise<boolean> {
  const taken = inArray(purchases.status, ["pending", "completed", "refunded"]);
  return (await db.$count(purchases, and(eq(purchases.quoteId, quoteId), taken))) > 0;
}
