import { sql } from "drizzle-orm";
import { MINUTE } from "#server/base/clock.ts";
import type { Db } from "./db.ts";

/** With a larger difference a node charges nothing, because it would judge what is due by a wrong time. */
const maxSkew = 1 * MINUTE;

/** Milliseconds that this machine is ahead of the database; null within a minute. The sandbox's clock is not in it. */
export async function findClockSkew(db: Db): Promise<number | null> {
  const before = Date.now();
  const answer = await db.execute(sql`select extract(epoch from clock_timestamp()) * 1000 as now`);
  const after = Date.now();
  const { rows } = answer as { rows: { now: string }[] };
  return skewOf({ before, after, database: Number(rows[0]?.now) });
}

export function skewOf(times: { before: number; after: number; database: number }): number | null {
  const { before, after, database } = times;
  const ahead = before > database ? before - database : after < database ? after - database : 0;
  return Math.abs(ahead) > maxSkew ? Math.round(ahead) : null;
}

export function skewWords(milliseconds: number): string {
  const seconds = Math.round(Math.abs(milliseconds) / 1000);
  return `this machine's clock is ${seconds} seconds ${milliseconds > 0 ? "ahead of" : "behind"} the database's`;
}
