import { sql } from "drizzle-orm";
import { MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Db } from "./db.ts";

/** A node whose clock differs by more charges nothing, since it would judge by a wrong time what is due. */
const maxSkew = 1 * MINUTE;

/**
 * Milliseconds by which this machine's clock is ahead of the database's; null within a minute. Ignores the sandbox's
 * clock.
 */
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

/** For buyers, operators and the log alike. */
export function nothingIsCharged(skew: number): string {
  return `Nothing is charged: ${skewWords(skew)}.`;
}

/** Call it before a card is charged or checked. @throws Refusal payment-unavailable */
export async function requireRightClock(db: Db): Promise<void> {
  const skew = await findClockSkew(db);
  if (skew !== null) throw new Refusal("payment-unavailable", nothingIsCharged(skew));
}
