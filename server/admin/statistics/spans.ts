import { sql } from "drizzle-orm";
import type { Period } from "#contract/admin/statistics.ts";

/** `from` inclusive, `end` exclusive. */
export interface Span {
  readonly by: Period;
  readonly from: Date;
  readonly end: Date;
}

/** A period; `start` is its first day in UTC, such as 2026-01-31. */
export interface Bucket {
  readonly start: string;
}

/** The start of the period in UTC. */
export function startOf({ by }: Pick<Span, "by">, column: string) {
  return sql.raw(`date_trunc('${by}', ${column} at time zone 'UTC')`);
}

/** Formats the date of a group. Grouping by the date itself is faster than by its text. */
export function written(column: string) {
  return sql.raw(`to_char(${column}, 'YYYY-MM-DD')`);
}

export function within({ from, end }: Span, column: string) {
  return sql`${sql.raw(column)} >= ${from} and ${sql.raw(column)} < ${end}`;
}
