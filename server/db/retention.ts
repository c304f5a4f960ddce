import { and, lte, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { after } from "#server/base/clock.ts";
import type { Db } from "./db.ts";

/** Rows that are deleted when they are old. `docs/retention.md` says the same to people; a test compares them. */
export interface RetentionRule {
  readonly table: PgTable;
  /** The start of their age; a row without it stays. */
  readonly from: PgColumn;
  /** Milliseconds; 0 where `from` is the end itself. */
  readonly keptFor: number;
  /** Which of the old rows are deleted; all of them when absent. */
  readonly where?: (db: Db, until: Date) => SQL | undefined;
}

/** A single statement over all rows would hold its locks too long. */
const batchSize = 1000;
/** The next hourly run deletes the rest: after an upgrade a new rule may match years of rows. */
const maxBatches = 100;

export async function applyRetention(db: Db, rule: RetentionRule, now: Date): Promise<void> {
  const { table } = rule;
  const batch = sql`select ${table}.ctid from ${table} where ${isOld(db, rule, now)} limit ${batchSize}`;
  for (let batches = 0; batches < maxBatches; batches++) {
    const result = await db.delete(table).where(sql`ctid = any(array(${batch}))`);
    if (((result as { rowCount: number | null }).rowCount ?? 0) < batchSize) return;
  }
}

/** The rules that would delete anything, by one statement: usually none. */
export async function listDue(db: Db, rules: readonly RetentionRule[], now: Date): Promise<RetentionRule[]> {
  const found = rules.map((rule) => sql`exists (select from ${rule.table} where ${isOld(db, rule, now)})`);
  const answer = await db.execute(sql`select array[${sql.join(found, sql`, `)}] as due`);
  const [row] = (answer as { rows: { due: boolean[] }[] }).rows;
  return rules.filter((_, at) => row?.due[at]);
}

function isOld(db: Db, { from, keptFor, where }: RetentionRule, now: Date): SQL | undefined {
  const until = after(now, -keptFor);
  return and(lte(from, until), where?.(db, until));
}
