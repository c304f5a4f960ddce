import { and, eq, inArray } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { purchases, type QuoteRow, quotes } from "../tables.ts";

export async function findQuote(db: Db, id: string, userId: string): Promise<QuoteRow | null> {
  const [row] = await db
    .select()
    .from(quotes)
    .where(and(eq(quotes.id, id), eq(quotes.userId, userId)));
  return row ?? null;
}

/** True when a payment with the quote was made, or may have been. A declined one does not count. */
export async function isQuoteTaken(db: Db, quoteId: string): Promise<boolean> {
  const taken = inArray(purchases.status, ["pending", "completed", "refunded"]);
  return (await db.$count(purchases, and(eq(purchases.quoteId, quoteId), taken))) > 0;
}
