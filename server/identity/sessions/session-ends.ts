import { and, eq, gt, ne, sql } from "drizzle-orm";
import { z } from "zod";
import { DAY, SECOND } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import type { Identity, Logout } from "#server/openid/openid.ts";
import { endedSignIns, sessions, users } from "../tables.ts";
import { findUserByIdentity, type User } from "../users.ts";

/**
 * Makes a sign-in in progress and the end of all sessions wait for each other. Returns when the provider last ended
 * them.
 */
export async function lockSignIns(tx: Db, { issuer, subject }: Identity): Promise<Date | null> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`sign-ins ${issuer} ${subject}`}, 0))`);
  const [row] = await tx
    .select({ endedAt: endedSignIns.endedAt })
    .from(endedSignIns)
    .where(and(eq(endedSignIns.issuer, issuer), eq(endedSignIns.subject, subject)));
  return row?.endedAt ?? null;
}

/** Takes effect on sign-ins in progress too. */
export async function recordLogout(ctx: Context, logout: Logout): Promise<void> {
  if ("sid" in logout) {
    await ctx.db.delete(sessions).where(sql`${sessions.sess} ->> 'providerSid' = ${logout.sid}`);
    return;
  }
  const { identity, endedAt, keptSid } = logout;
  await ctx.db.transaction(async (tx) => {
    const before = await lockSignIns(tx, identity);
    if (before && before > endedAt) return;
    await tx
      .insert(endedSignIns)
      .values({ ...identity, endedAt })
      .onConflictDoUpdate({ target: [endedSignIns.issuer, endedSignIns.subject], set: { endedAt } });
    const user = await findUserByIdentity(tx, identity);
    if (!user) return;
    const isOver = sql`(${sessions.sess} ->> 'authenticatedAt')::timestamptz <= ${endedAt.toISOString()}::timestamptz`;
    const isKept = sql`${sessions.sess} ->> 'providerSid' = ${keptSid}`;
    await tx.delete(sessions).where(and(ofUser(user.id), isOver, keptSid ? sql`(${isKept}) is not true` : undefined));
    await announceEnd(tx, user.id, ctx.clock.now());
  });
}

/** For domains whose secret addresses end with the sign-ins. */
export const signInsEndedJob = defineJob("sign-ins-ended", z.object({ userId: z.string(), endedAt: z.iso.datetime() }));

/** Call when a person's sign-ins end, or the account is suspended. */
export async function announceEnd(tx: Db, userId: string, now: Date): Promise<void> {
  const data = { userId, endedAt: now.toISOString() };
  await scheduleJob(tx, signInsEndedJob, { data, key: `${userId}:${data.endedAt}`, runAt: now, now });
}

/** Takes effect on every node at once, except for the sid `except`. The others have to authenticate again. */
export async function endSessionsOf(
  db: Db,
  userId: string,
  now: Date,
  { except }: { except?: string } = {},
): Promise<void> {
  await requireReauthentication(db, userId, now);
  await db.delete(sessions).where(and(ofUser(userId), except ? ne(sessions.sid, except) : undefined));
  await announceEnd(db, userId, now);
}

/** The user must authenticate at the provider again, also where the provider remembers the browser. */
export async function requireReauthentication(db: Db, userId: string, now: Date): Promise<void> {
  await db.update(users).set({ sessionsEndedAt: now }).where(eq(users.id, userId));
}

/** Providers' times are whole seconds. */
export function needsReauthentication({ sessionsEndedAt }: User, authenticatedAt: Date): boolean {
  return sessionsEndedAt !== null && authenticatedAt.getTime() < sessionsEndedAt.getTime() - SECOND;
}

export function ofUser(userId: string) {
  return sql`(${sessions.sess} ->> 'userId') = ${userId}`;
}

export function openOf(userId: string, now: Date) {
  return and(ofUser(userId), gt(sessions.expire, now));
}

/** ISO 8601, to the hour, by the open sessions. */
export async function findLastSeen(db: Db, userId: string): Promise<string | null> {
  const [row] = await db
    .select({ at: sql<string | null>`max(${sessions.sess} ->> 'lastSeenAt')` })
    .from(sessions)
    .where(ofUser(userId));
  return row?.at ?? null;
}

export function countSessionsOf(db: Db, userId: string, now: Date): Promise<number> {
  return db.$count(sessions, openOf(userId, now));
}

export const sessionRetention: RetentionRule = { table: sessions, from: sessions.expire, keptFor: 0 };

/** Sign-ins that were in progress then are over. */
export const signInEndRetention: RetentionRule = { table: endedSignIns, from: endedSignIns.endedAt, keptFor: DAY };
