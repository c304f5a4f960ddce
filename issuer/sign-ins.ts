import { and, eq, ne, or, sql } from "drizzle-orm";
import type { Clock } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import { type Account, accounts, logouts, payloads } from "./tables.ts";

/** How long the issuer remembers a browser. */
export const sessionSeconds = 14 * 24 * 3600;

/** The browser session that made a change, which goes on after it. */
export interface KeptSession {
  readonly uid: string;
  /** What the client knows it by; null when the client never saw it. */
  readonly sid: string | null;
}

/**
 * Dates a sign-in of the account, in seconds since 1970, always after the last end of its sign-ins. Null when the
 * password was changed since the account was read: the sign-in rests on a password that no longer counts.
 */
export async function recordSignIn(db: Db, clock: Clock, account: Account): Promise<number | null> {
  const second = wholeSecond(clock);
  const [row] = await db
    .update(accounts)
    .set({
      lastSignInAt: sql`greatest(${second}, ${accounts.lastSignInAt}, ${accounts.signInsEndedAt} + interval '1 second')`,
    })
    .where(and(eq(accounts.subject, account.subject), eq(accounts.passwordHash, account.passwordHash)))
    .returning({ at: accounts.lastSignInAt });
  return row?.at ? row.at.getTime() / 1000 : null;
}

/**
 * Ends every sign-in of an account here, but for the kept session, and notes that the client has to be told. Runs in the
 * transaction of what ends them. The kept session has to be dated anew by `recordSignIn`.
 */
export async function endSignIns(tx: Db, clock: Clock, subject: string, kept: KeptSession | null): Promise<void> {
  const [row] = await tx
    .update(accounts)
    .set({
      signInsEndedAt: sql`greatest(${wholeSecond(clock)}, ${accounts.lastSignInAt}, ${accounts.signInsEndedAt})`,
    })
    .where(eq(accounts.subject, subject))
    .returning({ endedAt: accounts.signInsEndedAt });
  if (!row?.endedAt) return;
  const keptRow = kept && or(ne(payloads.kind, "Session"), ne(payloads.uid, kept.uid));
  await tx.delete(payloads).where(and(eq(payloads.accountId, subject), keptRow ?? undefined));
  const logout = { endedAt: row.endedAt, keptSid: kept?.sid ?? null };
  await tx
    .insert(logouts)
    .values({ subject, ...logout })
    .onConflictDoUpdate({ target: logouts.subject, set: logout });
}

function wholeSecond(clock: Clock) {
  return sql`date_trunc('second', ${clock.now().toISOString()}::timestamptz)`;
}
