import { and, desc, eq, inArray, lte } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { purchases, type QuoteRow, quotes } from "../tables.ts";

export async function findQuote(db: Db, id: string, userId: string): Promise<QuoteRow | null> {
  const [row] = await db
    .select()
    .from(quotes)
    .where(and(eq(quotes.id, id), eq(quotes.userId, userId)));
  return row ?? null;
}

/** Enough to renew those of the pages that a student has open. */
const quotesKept = 20;

/** Deletes the student's expired quotes that are not among the newest. */
export async function deleteExpired(tx: Db, userId: string, now: Date): Promise<void> {
  const older = tx
    .select({ id: quotes.id })
    .from(quotes)
    .where(eq(quotes.userId, userId))
    .orderBy(desc(quotes.createdAt))
    .offset(quotesKept);
  await tx.delete(quotes).where(and(inArray(quotes.id, older), lte(quotes.expiresAt, now)));
}

/** True when a payment with the quote was made, or may have been. A declined one does not count. */
export async function isQuoteTaken(db: Db, quoteId: string): Promise<boolean> {
  const taken = inArray(purchases.status, ["pending", "completed", "refunded"]);
  return (await db.$count(purchases, and(eq(purchases.quoteId, quoteId), taken))) > 0;
}
