import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Adapter, AdapterPayload } from "oidc-provider";
import { type Clock, DAY } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import { applyRetention, type RetentionRule } from "#server/db/retention.ts";
import { accounts, links, payloads } from "../tables.ts";

/**
 * Stores one kind of the protocol's records. Our clock counts their lifetimes, from the instant of writing; the
 * library counts by the system clock, which is never ahead of ours.
 */
export function payloadStore(db: Db, clock: Clock, kind: string): Adapter {
  const one = async (column: PgColumn, value: string): Promise<AdapterPayload | undefined> => {
    // PostgreSQL text cannot contain NUL, which a request can.
    if (value.includes("\0")) return undefined;
    const alive = or(isNull(payloads.expiresAt), gt(payloads.expiresAt, clock.now()));
    const [row] = await db
      .select()
      .from(payloads)
      .where(and(eq(payloads.kind, kind), eq(column, value), alive, signInGoesOn));
    if (!row) return undefined;
    return { ...row.payload, ...(row.consumedAt ? { consumed: Math.floor(row.consumedAt.getTime() / 1000) } : {}) };
  };

  return {
    async upsert(id, payload, expiresIn) {
      const record = {
        payload: payload as Record<string, unknown>,
        grantId: payload.grantId ?? null,
        userCode: payload.userCode ?? null,
        uid: payload.uid ?? null,
        accountId: payload.accountId ?? null,
        expiresAt: expiresIn ? new Date(clock.now().getTime() + expiresIn * 1000) : null,
      };
      await db
        .insert(payloads)
        .values({ kind, id, ...record })
        .onConflictDoUpdate({ target: [payloads.kind, payloads.id], set: record });
    },
    find: (id) => one(payloads.id, id),
    findByUid: (uid) => one(payloads.uid, uid),
    findByUserCode: (userCode) => one(payloads.userCode, userCode),
    async consume(id) {
      await db
        .update(payloads)
        .set({ consumedAt: clock.now() })
        .where(and(eq(payloads.kind, kind), eq(payloads.id, id)));
    },
    async destroy(id) {
      await db.delete(payloads).where(and(eq(payloads.kind, kind), eq(payloads.id, id)));
    },
    revokeByGrantId: (grantId) => deleteGrant(db, grantId),
  };
}

/**
 * Checked at each use: a session, code or interaction result from a sign-in before the account's sign-ins were ended
 * counts as absent, also when a concurrent request wrote it afterwards.
 */
const signInGoesOn = sql`not exists (
  select 1 from ${accounts}
  where ${accounts.subject} = coalesce(${payloads.payload} #>> '{result,login,accountId}', ${payloads.payload} ->> 'accountId')
  and ${accounts.signInsEndedAt} >= to_timestamp(coalesce(
    ${payloads.payload} #>> '{result,login,ts}', ${payloads.payload} ->> 'loginTs', ${payloads.payload} ->> 'authTime'
  )::double precision)
)`;

/** Deletes a grant with its codes and tokens. */
export async function deleteGrant(db: Db, grantId: string): Promise<void> {
  await db
    .delete(payloads)
    .where(or(eq(payloads.grantId, grantId), and(eq(payloads.kind, "Grant"), eq(payloads.id, grantId))));
}

/** Only frees space: expired rows are never read. @internal */
export const payloadRetention: readonly RetentionRule[] = [
  { table: payloads, from: payloads.expiresAt, keptFor: 0 },
  { table: links, from: links.expiresAt, keptFor: 0 },
  // Whoever has signed in is deleted by the academy, which knows what they own.
  {
    table: accounts,
    from: accounts.createdAt,
    keptFor: 30 * DAY,
    where: () => and(isNull(accounts.emailVerifiedAt), isNull(accounts.lastSignInAt)),
  },
];

export async function deleteExpired(db: Db, clock: Clock): Promise<void> {
  for (const rule of payloadRetention) await applyRetention(db, rule, clock.now());
}
