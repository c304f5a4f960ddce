import { and, eq, ne, or, sql } from "drizzle-orm";
import type { Clock } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import { type Account, accounts, logouts, payloads } from "./tables.ts";

/** How long the issuer remembers a browser. */
export const sessionSeconds = 14 * 24 * 3600;

/** `amr` of ID tokens: the methods by which somebody signed in (RFC 8176). */
export const methods = { password: ["pwd"], passwordAndCode: ["pwd", "otp", "mfa"] };

/** Asks for the form to create an account. Signing in to an existing one answers it, too. */
export const createPrompt = "create";

/** The browser session that makes a change, and survives it. */
export interface KeptSession {
  readonly uid: string;
  /** The client's id of it. Null when the client has never seen it. */
  readonly sid: string | null;
}

/**
 * Records a sign-in, always later than the account's sign-ins were last ended.
 * @returns its time in seconds since 1970; null when the password was changed since the account was read
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
 * Ends every sign-in of the account at the issuer, except the kept session, and records a logout to deliver to the
 * client. Call `recordSignIn` for the kept session afterwards.
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
