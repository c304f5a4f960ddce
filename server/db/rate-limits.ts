import { eq, sql } from "drizzle-orm";
import { after, SECOND } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Db } from "./db.ts";
import type { RetentionRule } from "./retention.ts";
import { limits } from "./tables.ts";

/** The window begins with the first use. */
export interface RateLimit {
  readonly max: number;
  readonly window: number;
  readonly message: string;
}

/** Counts a use before it happens, over all nodes, so that concurrent uses cannot pass the limit. @throws Refusal too-many-requests. */
export async function countUse(db: Db, key: string, limit: RateLimit, now: Date): Promise<void> {
  const { uses, endsAt } = await recordUse(db, key, limit, now);
  if (uses <= limit.max) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / SECOND));
  throw new Refusal("too-many-requests", limit.message, { retryAfterSeconds });
}

/** Counts a use like `countUse`. Returns false when the limit is exceeded. */
export async function tryUse(db: Db, key: string, limit: Omit<RateLimit, "message">, now: Date): Promise<boolean> {
  return (await recordUse(db, key, limit, now)).uses <= limit.max;
}

async function recordUse(db: Db, key: string, { window }: Pick<RateLimit, "window">, now: Date) {
  const over = sql`${limits.endsAt} <= ${now.toISOString()}::timestamptz`;
  const [row] = await db
    .insert(limits)
    .values({ key, uses: 1, endsAt: after(now, window) })
    .onConflictDoUpdate({
      target: limits.key,
      set: {
        uses: sql`case when ${over} then 1 else ${limits.uses} + 1 end`,
        endsAt: sql`case when ${over} then excluded.ends_at else ${limits.endsAt} end`,
      },
    })
    .returning();
  if (!row) throw new Error("an upsert returned no row");
  return row;
}

export async function returnUse(db: Db, key: string): Promise<void> {
  await db
    .update(limits)
    .set({ uses: sql`greatest(${limits.uses} - 1, 0)` })
    .where(eq(limits.key, key));
}

export async function forgetUses(db: Db, key: string): Promise<void> {
  await db.delete(limits).where(eq(limits.key, key));
}

export const limitRetention: RetentionRule = { table: limits, from: limits.endsAt, keptFor: 0 };
