import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { Clock } from "#server/clock.ts";
import type { Db } from "#server/db/db.ts";
import { redeemLink } from "./links.ts";
import type { EnqueueMail } from "./mails.ts";
import { hashPassword, isPassword } from "./passwords/passwords.ts";
import { accounts, links, payloads } from "./tables.ts";

export type Account = typeof accounts.$inferSelect;

/** An account that exists from the start, its address already confirmed. */
export interface DemoAccount {
  readonly subject: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly password: string;
  readonly emailVerified: true;
}

const sameEmail = (email: string) => sql`lower(${accounts.email}) = lower(${email.trim()})`;

export async function findAccount(db: Db, subject: string): Promise<Account | null> {
  const [account] = await db.select().from(accounts).where(eq(accounts.subject, subject));
  return account ?? null;
}

export async function findAccountByEmail(db: Db, email: string): Promise<Account | null> {
  const [account] = await db.select().from(accounts).where(sameEmail(email));
  return account ?? null;
}

/** The account with this address and password, or null. Takes the same time when nobody has the address. */
export async function findAccountByPassword(db: Db, email: string, password: string): Promise<Account | null> {
  const account = await findAccountByEmail(db, email);
  const right = await isPassword(password, account?.passwordHash ?? (await nobodysHash()));
  return right ? account : null;
}

let hashOfNobody: Promise<string> | undefined;
function nobodysHash(): Promise<string> {
  hashOfNobody ??= hashPassword(randomBytes(24).toString("base64url"));
  return hashOfNobody;
}

/** Creates an account with an unconfirmed address, and has it asked for by mail; null when the address is taken. */
export async function createAccount(
  db: Db,
  clock: Clock,
  person: { email: string; firstName: string; lastName: string; password: string },
  enqueueMail: EnqueueMail,
): Promise<Account | null> {
  const { password, ...names } = person;
  const passwordHash = await hashPassword(password);
  const now = clock.now();
  const subject = randomBytes(15).toString("base64url");
  return db.transaction(async (tx) => {
    const [account] = await tx
      .insert(accounts)
      .values({ ...names, subject, passwordHash, passwordChangedAt: now, createdAt: now })
      .onConflictDoNothing()
      .returning();
    if (account) await enqueueMail(tx, { kind: "confirm-address", to: account.email });
    return account ?? null;
  });
}

/** Creates the demo accounts that are absent; those that exist stay as they are. */
export async function createDemoAccounts(db: Db, clock: Clock, people: readonly DemoAccount[]): Promise<void> {
  for (const { subject, email, firstName, lastName, password } of people) {
    if (await findAccount(db, subject)) continue;
    const now = clock.now();
    const passwordHash = await hashPassword(password);
    await db
      .insert(accounts)
      .values({
        subject,
        email,
        firstName,
        lastName,
        passwordHash,
        emailVerifiedAt: now,
        passwordChangedAt: now,
        createdAt: now,
      })
      .onConflictDoNothing();
  }
}

/** Afterwards there is no such account, and nobody is signed in as it; mailed links end with it. */
export async function deleteAccount(db: Db, subject: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.delete(accounts).where(eq(accounts.subject, subject));
    await tx.delete(payloads).where(eq(payloads.accountId, subject));
  });
}

/** Confirms the address that the link was mailed to. False when the link no longer works. */
export async function confirmAddress(db: Db, clock: Clock, token: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const subject = await redeemLink(tx, clock, "confirm-address", token);
    if (!subject) return false;
    await tx.update(accounts).set({ emailVerifiedAt: clock.now() }).where(eq(accounts.subject, subject));
    return true;
  });
}

/**
 * Sets a new password, ends every session of the account here and tells the person by mail. The mailed link also proves
 * the address. The account, or null when the link no longer works.
 */
export async function resetPassword(
  db: Db,
  clock: Clock,
  token: string,
  password: string,
  enqueueMail: EnqueueMail,
): Promise<Account | null> {
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    const subject = await redeemLink(tx, clock, "reset-password", token);
    if (!subject) return null;
    const now = clock.now();
    const [account] = await tx
      .update(accounts)
      .set({
        passwordHash,
        passwordChangedAt: now,
        emailVerifiedAt: sql`coalesce(${accounts.emailVerifiedAt}, ${now.toISOString()}::timestamptz)`,
      })
      .where(eq(accounts.subject, subject))
      .returning();
    await tx.delete(payloads).where(eq(payloads.accountId, subject));
    await tx.delete(links).where(eq(links.subject, subject));
    if (account) await enqueueMail(tx, { kind: "password-changed", to: account.email });
    return account ?? null;
  });
}
