import { randomBytes } from "node:crypto";
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { storedEmail } from "#contract/email-address.ts";
import type { Clock } from "#server/base/clock.ts";
import { type Db, isUniqueViolation } from "#server/db/db.ts";
import { redeemLink } from "./links.ts";
import type { EnqueueMail } from "./mails.ts";
import { hashPassword, isPassword } from "./passwords/passwords.ts";
import { endSignIns, type KeptSession } from "./sign-ins.ts";
import { type Account, accounts, links, logouts, payloads, recoveryCodes, secondFactors } from "./tables.ts";

/** An account that exists from the start, with a confirmed address. */
export interface DemoAccount {
  readonly subject: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly password: string;
  readonly emailVerified: true;
}

/** For any spelling. */
const sameEmail = (email: string) =>
  eq(sql`lower(${accounts.email})`, storedEmail(email) ?? email.trim().toLowerCase());

export async function findAccount(db: Db, subject: string): Promise<Account | null> {
  const [account] = await db.select().from(accounts).where(eq(accounts.subject, subject));
  return account ?? null;
}

export async function findAccountByEmail(db: Db, email: string): Promise<Account | null> {
  const [account] = await db.select().from(accounts).where(sameEmail(email));
  return account ?? null;
}

/** Takes the same time when there is no account. */
export async function isPasswordOf(account: Account | null, password: string): Promise<boolean> {
  const isRight = await isPassword(password, account?.passwordHash ?? (await nobodysHash()));
  return isRight && account !== null;
}

let hashOfNobody: Promise<string> | undefined;
function nobodysHash(): Promise<string> {
  hashOfNobody ??= hashPassword(randomBytes(24).toString("base64url"));
  return hashOfNobody;
}

/**
 * Creates an account with an unconfirmed address, and enqueues the mail that confirms it. Null when the address is
 * taken.
 */
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

/** Creates the demo accounts that are absent, and changes no others. */
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

/** An account to import, without a password. */
export type ImportedAccount = Omit<
  typeof accounts.$inferInsert,
  "passwordHash" | "passwordChangedAt" | "signInsEndedAt"
>;

/** Adds accounts with a random password. Skips those whose address is taken. */
export async function importAccounts(db: Db, people: readonly ImportedAccount[]): Promise<void> {
  const passwordHash = await nobodysHash();
  const rows = people.map((person) => ({ ...person, passwordHash, passwordChangedAt: person.createdAt }));
  await db.insert(accounts).values(rows).onConflictDoNothing();
}

/** Also deletes the account's sessions and mailed links. */
export async function deleteAccount(db: Db, subject: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.delete(accounts).where(eq(accounts.subject, subject));
    await tx.delete(payloads).where(eq(payloads.accountId, subject));
    await tx.delete(logouts).where(eq(logouts.subject, subject));
  });
}

/** False when the address is confirmed. */
export function deleteUnconfirmed(db: Db, subject: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [account] = await tx.select().from(accounts).where(eq(accounts.subject, subject)).for("update");
    if (account?.emailVerifiedAt) return false;
    await deleteAccount(tx, subject);
    return true;
  });
}

/**
 * Confirms the address that the link was mailed to, and ends every sign-in except the kept one: an attacker who
 * signed up with somebody's address is signed out when its owner confirms it. Null when the link no longer works.
 */
export async function confirmAddress(
  db: Db,
  clock: Clock,
  token: string,
  kept: KeptSession | null,
): Promise<Account | null> {
  return db.transaction(async (tx) => {
    const link = await redeemLink(tx, clock, "confirm-address", token);
    if (!link) return null;
    await endSignIns(tx, clock, link.subject, kept);
    await removeUnprovedFactor(tx, link.subject);
    return update(tx, link.subject, { emailVerifiedAt: accounts.signInsEndedAt });
  });
}

/** A stranger may have turned it on before the address was proved, and would lock its owner out. */
async function removeUnprovedFactor(tx: Db, subject: string): Promise<void> {
  const unproved = tx
    .select({ subject: accounts.subject })
    .from(accounts)
    .where(and(eq(accounts.subject, subject), isNull(accounts.emailVerifiedAt)));
  for (const table of [secondFactors, recoveryCodes]) await tx.delete(table).where(inArray(table.subject, unproved));
}

/**
 * Gives the account the address that the link was mailed to, as a confirmed one, ends its other sign-ins, and mails
 * the previous address. Null when the link no longer works.
 */
export async function changeAddress(
  db: Db,
  clock: Clock,
  token: string,
  kept: KeptSession | null,
  enqueueMail: EnqueueMail,
): Promise<Account | "taken" | null> {
  try {
    return await db.transaction(async (tx) => {
      const link = await redeemLink(tx, clock, "change-address", token);
      const before = link && (await findAccount(tx, link.subject));
      if (!before || !link.newEmail) return null;
      await endSignIns(tx, clock, link.subject, kept);
      const changes = { email: link.newEmail, emailVerifiedAt: accounts.signInsEndedAt };
      const account = await update(tx, link.subject, changes);
      // Links that were mailed to the old address stop working.
      await tx.delete(links).where(eq(links.subject, link.subject));
      await enqueueMail(tx, { kind: "address-changed", to: before.email, subject: before.subject });
      return account;
    });
  } catch (error) {
    if (isUniqueViolation(error, "accounts_email_key")) return "taken";
    throw error;
  }
}

/**
 * Sets a new password, ends every sign-in of the account and mails the person. The link also confirms the address.
 * @returns null when the link no longer works
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
    const link = await redeemLink(tx, clock, "reset-password", token);
    if (!link) return null;
    await endSignIns(tx, clock, link.subject, null);
    await tx.delete(links).where(eq(links.subject, link.subject));
    await removeUnprovedFactor(tx, link.subject);
    const emailVerifiedAt = sql`coalesce(${accounts.emailVerifiedAt}, ${accounts.signInsEndedAt})`;
    const changes = { passwordHash, passwordChangedAt: clock.now(), emailVerifiedAt };
    const account = await update(tx, link.subject, changes);
    if (account) await enqueueMail(tx, { kind: "password-changed", to: account.email });
    return account;
  });
}

/**
 * Sets a new password, ends every sign-in of the account except the kept one, and mails the person. Links mailed
 * before stop working.
 */
export async function changePassword(
  db: Db,
  clock: Clock,
  { subject }: Account,
  password: string,
  kept: KeptSession,
  enqueueMail: EnqueueMail,
): Promise<Account | null> {
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    await endSignIns(tx, clock, subject, kept);
    await tx.delete(links).where(eq(links.subject, subject));
    const account = await update(tx, subject, { passwordHash, passwordChangedAt: clock.now() });
    if (account) await enqueueMail(tx, { kind: "password-changed", to: account.email });
    return account;
  });
}

async function update(tx: Db, subject: string, changes: PgUpdateSetSource<typeof accounts>): Promise<Account | null> {
  const [account] = await tx.update(accounts).set(changes).where(eq(accounts.subject, subject)).returning();
  return account ?? null;
}
