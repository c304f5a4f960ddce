import { type SQL, sql } from "drizzle-orm";
import type { Periods } from "./periods.ts";

/** A period; `start` is its first day, such as 2026-01-31. */
export interface Bucket {
  readonly start: string;
}

/**
 * The number of the period that contains a timestamp, from 1; 0 is before the first. Node counts the days, because the
 * database does not know each time zone that Node knows.
 */
export function periodOf({ begin }: Pick<Periods, "begin">, column: string): SQL {
  const instants = begin.map((instant) => instant.toISOString());
  return sql`width_bucket(${sql.raw(column)}, ${sql.param(instants)}::timestamptz[])`;
}

/** The first day of the period with a number, null for 0. Grouping by the number is faster than by the text. */
export function startOf({ starts }: Pick<Periods, "starts">, number: string): SQL {
  return sql`(${sql.param([...starts])}::text[])[${sql.raw(number)}]`;
}

export function within({ begin, end }: Periods, column: string): SQL {
  return sql`${sql.raw(column)} >= ${begin[0]} and ${sql.raw(column)} < ${end}`;
}
