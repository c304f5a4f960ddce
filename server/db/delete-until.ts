import { sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "./db.ts";

/** In batches: one statement would hold its locks for as long as a crowd's rows take. */
export async function deleteUntil(db: Db, table: PgTable, ends: PgColumn, now: Date): Promise<void> {
  for (let deleted = batchSize; deleted === batchSize; ) {
    const batch = sql`select ctid from ${table} where ${ends} <= ${now.toISOString()}::timestamptz limit ${batchSize}`;
    const result = await db.delete(table).where(sql`ctid = any(array(${batch}))`);
    deleted = (result as { rowCount: number | null }).rowCount ?? 0;
  }
}

const batchSize = 1000;
