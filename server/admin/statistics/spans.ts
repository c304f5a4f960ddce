import { type SQL, sql } from "drizzle-orm";
import type { Period } from "#contract/admin/statistics.ts";
import type { Db } from "#server/db/db.ts";

/** From the first instant up to, not including, the end. */
export interface Span {
  readonly by: Period;
  readonly from: Date;
  readonly end: Date;
}

/** What happened in a period; `start` is its first day in UTC, such as 2026-01-31. */
export interface Bucket {
  readonly start: string;
}

/** By UTC. */
export function startOf({ by }: Pick<Span, "by">, column: string) {
  return sql.raw(`date_trunc('${by}', ${column} at time zone 'UTC')`);
}

/** Formatting a date costs more than grouping by it, so it is done once for each group. */
export function written(column: string) {
  return sql.raw(`to_char(${column}, 'YYYY-MM-DD')`);
}

export function within({ from, end }: Span, column: string) {
  return sql`${sql.raw(column)} >= ${from} and ${sql.raw(column)} < ${end}`;
}

export async function rowsOf<Row>(db: Db, query: SQL): Promise<Row[]> {
  const { rows } = (await db.execute(query)) as { rows: Row[] };
  return rows;
}
