import { and, lte, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { after } from "#server/base/clock.ts";
import type { Db } from "./db.ts";

/** Rows that go when they are old. `docs/retention.md` says the same to people; a test compares them. */
export interface AgingRows {
  readonly table: PgTable;
  /** Their age counts from it; a row without it stays. */
  readonly from: PgColumn;
  /** Milliseconds; 0 where `from` is the end itself. */
  readonly keptFor: number;
  /** Which of the old ones go, where that is not all of them. */
  readonly where?: (db: Db, until: Date) => SQL | undefined;
}

/** One statement would hold its locks for as long as a crowd's rows take. */
const batchSize = 1000;
/** What is left after so many comes an hour later: an academy that just learned to forget has years of rows. */
const mostBatches = 100;

export async function deleteAged(db: Db, { table, from, keptFor, where }: AgingRows, now: Date): Promise<void> {
  const until = after(now, -keptFor);
  const old = and(lte(from, until), where?.(db, until));
  const batch = sql`select ${table}.ctid from ${table} where ${old} limit ${batchSize}`;
  for (let batches = 0; batches < mostBatches; batches++) {
    const result = await db.delete(table).where(sql`ctid = any(array(${batch}))`);
    if (((result as { rowCount: number | null }).rowCount ?? 0) < batchSize) return;
  }
}
