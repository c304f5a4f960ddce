import { and, eq, gt, isNull, lte, or, type SQL } from "drizzle-orm";
import type { Adapter, AdapterPayload } from "oidc-provider";
import type { Clock } from "#server/clock.ts";
import type { Db } from "#server/db/db.ts";
import { links, payloads, throttle } from "../tables.ts";

/**
 * Keeps one kind of the protocol's records in the database. Lifetimes are counted by our clock from the moment of
 * writing; the protocol's own library counts by the system's, which is never ahead of ours.
 */
export function payloadStore(db: Db, clock: Clock, kind: string): Adapter {
  const one = async (condition: SQL): Promise<AdapterPayload | undefined> => {
    const alive = or(isNull(payloads.expiresAt), gt(payloads.expiresAt, clock.now()));
    const [row] = await db
      .select()
      .from(payloads)
      .where(and(eq(payloads.kind, kind), condition, alive));
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
    find: (id) => one(eq(payloads.id, id)),
    findByUid: (uid) => one(eq(payloads.uid, uid)),
    findByUserCode: (userCode) => one(eq(payloads.userCode, userCode)),
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

/** Ends a grant: the codes and tokens given under it, and the grant itself. */
export async function deleteGrant(db: Db, grantId: string): Promise<void> {
  await db
    .delete(payloads)
    .where(or(eq(payloads.grantId, grantId), and(eq(payloads.kind, "Grant"), eq(payloads.id, grantId))));
}

/** Deletes what has expired. Nothing depends on it: expired rows are never read. */
export async function deleteExpired(db: Db, clock: Clock): Promise<void> {
  const now = clock.now();
  await db.delete(payloads).where(lte(payloads.expiresAt, now));
  await db.delete(links).where(lte(links.expiresAt, now));
  await db.delete(throttle).where(lte(throttle.windowEndsAt, now));
}
