import { hash, randomBytes } from "node:crypto";
import { and, eq, gt, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import type { Clock } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import type { EnqueueMail } from "../mails.ts";
import { endSignIns, type KeptSession } from "../sign-ins.ts";
import { recoveryCodes, secondFactors } from "../tables.ts";
import { seal, unseal } from "./sealing.ts";

const HOUR = 3_600_000;
const STEP_SECONDS = 30;
/** How long a key that was shown waits for its first code. */
const pendingTime = HOUR;
const recoveryCodeCount = 10;

/** What the second factor works with. */
export interface FactorScope {
  readonly db: Db;
  readonly clock: Clock;
  /** The issuer's secrets: the first seals, all open. */
  readonly secrets: readonly string[];
  readonly enqueueMail: EnqueueMail;
}

interface Owner {
  readonly subject: string;
  readonly email: string;
}

/** Whether signing in to the account takes a code beside the password. */
export async function hasSecondFactor(db: Db, subject: string): Promise<boolean> {
  const [row] = await db
    .select({ subject: secondFactors.subject })
    .from(secondFactors)
    .where(and(eq(secondFactors.subject, subject), isNotNull(secondFactors.confirmedAt)));
  return row !== undefined;
}

/** How many recovery codes are left. */
export function countRecoveryCodes(db: Db, subject: string): Promise<number> {
  return db.$count(recoveryCodes, eq(recoveryCodes.subject, subject));
}

/**
 * Makes a new key for an account without a second factor; the first code made from it within an hour turns it on. The
 * key and its address for an app, or null when the account has a second factor already.
 */
export async function beginSecondFactor(
  { db, clock, secrets }: FactorScope,
  { subject, email }: Owner,
  issuerName: string,
): Promise<{ key: string; url: string } | null> {
  const now = clock.now();
  const key = new Secret({ size: 20 }).base32;
  const secret = seal(secrets, subject, key);
  const [kept] = await db
    .insert(secondFactors)
    .values({ subject, secret, createdAt: now })
    .onConflictDoUpdate({
      target: secondFactors.subject,
      set: { secret, createdAt: now, lastStep: null },
      setWhere: isNull(secondFactors.confirmedAt),
    })
    .returning({ subject: secondFactors.subject });
  return kept ? { key, url: totp(key, issuerName, email).toString() } : null;
}

/**
 * Turns the second factor on with the first code of the key that was shown, ends every sign-in but the kept one, as none
 * of them has shown a code, and tells the person by mail. The recovery codes, which nobody gets to see again; null when the
 * code is wrong or the key has waited too long.
 */
export async function confirmSecondFactor(
  scope: FactorScope,
  { subject, email }: Owner,
  code: string,
  kept: KeptSession,
): Promise<string[] | null> {
  const { db, clock, secrets, enqueueMail } = scope;
  const now = clock.now();
  return db.transaction(async (tx) => {
    const waiting = and(
      eq(secondFactors.subject, subject),
      isNull(secondFactors.confirmedAt),
      gt(secondFactors.createdAt, new Date(now.getTime() - pendingTime)),
    );
    const [row] = await tx.select().from(secondFactors).where(waiting).for("update");
    const step = row && stepOf(secrets, row, code, now);
    if (!step) return null;
    await tx.update(secondFactors).set({ confirmedAt: now, lastStep: step }).where(waiting);
    await endSignIns(tx, clock, subject, kept);
    const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.subject, subject));
    await tx
      .insert(recoveryCodes)
      .values(codes.map((one) => ({ codeHash: hashOf(subject, one), subject, createdAt: now })));
    await enqueueMail(tx, { kind: "second-factor-on", to: email });
    return codes;
  });
}

/** Turns the second factor off, with its recovery codes, and tells the person by mail. */
export async function removeSecondFactor({ db, enqueueMail }: FactorScope, { subject, email }: Owner): Promise<void> {
  await db.transaction(async (tx) => {
    const [removed] = await tx
      .delete(secondFactors)
      .where(and(eq(secondFactors.subject, subject), isNotNull(secondFactors.confirmedAt)))
      .returning({ subject: secondFactors.subject });
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.subject, subject));
    if (removed) await enqueueMail(tx, { kind: "second-factor-off", to: email });
  });
}

/**
 * Uses up a code of the app or a recovery code, of which the person is told by mail. False when it is neither, or was
 * used before.
 */
export function redeemCode(scope: FactorScope, owner: Owner, typed: string): Promise<boolean> {
  const code = typed.replace(/[\s-]/g, "").toLowerCase();
  return /^\d{6}$/.test(code) ? redeemAppCode(scope, owner, code) : redeemRecoveryCode(scope, owner, code);
}

async function redeemAppCode({ db, clock, secrets }: FactorScope, { subject }: Owner, code: string): Promise<boolean> {
  const isOn = and(eq(secondFactors.subject, subject), isNotNull(secondFactors.confirmedAt));
  const [row] = await db.select().from(secondFactors).where(isOn);
  const step = row && stepOf(secrets, row, code, clock.now());
  if (!step) return false;
  const isUnused = or(isNull(secondFactors.lastStep), lt(secondFactors.lastStep, step));
  // Encrypted anew, so that the operator can retire the old secret once everybody has signed in.
  const key = unseal(secrets, subject, row.secret);
  const used = await db
    .update(secondFactors)
    .set({ lastStep: step, ...(key && { secret: seal(secrets, subject, key) }) })
    .where(and(isOn, isUnused, eq(secondFactors.secret, row.secret)))
    .returning({ subject: secondFactors.subject });
  return used.length > 0;
}

function redeemRecoveryCode(
  { db, enqueueMail }: FactorScope,
  { subject, email }: Owner,
  code: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const isOn = sql`exists (select 1 from ${secondFactors} where ${secondFactors.subject} = ${subject} and ${secondFactors.confirmedAt} is not null)`;
    const used = await tx
      .delete(recoveryCodes)
      .where(and(eq(recoveryCodes.subject, subject), eq(recoveryCodes.codeHash, hashOf(subject, code)), isOn))
      .returning({ subject: recoveryCodes.subject });
    if (used.length > 0) await enqueueMail(tx, { kind: "recovery-code-used", to: email });
    return used.length > 0;
  });
}

type Row = typeof secondFactors.$inferSelect;

/** The time step that a code is of, by a clock that is up to a step wrong; null for a wrong code. */
function stepOf(secrets: readonly string[], { subject, secret }: Row, code: string, now: Date): number | null {
  const key = unseal(secrets, subject, secret);
  if (!key || !/^\d{6}$/.test(code)) return null;
  const timestamp = now.getTime();
  const delta = totp(key, "", "").validate({ token: code, timestamp, window: 1 });
  return delta === null ? null : Math.floor(timestamp / 1000 / STEP_SECONDS) + delta;
}

function totp(key: string, issuer: string, label: string): TOTP {
  const secret = Secret.fromBase32(key);
  return new TOTP({ issuer, label, secret, algorithm: "SHA1", digits: 6, period: STEP_SECONDS });
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** 80 random bits, in groups that are easy to copy. */
function newRecoveryCode(): string {
  const letters = Array.from(randomBytes(16), (byte) => alphabet[byte & 31]).join("");
  return letters.replace(/(.{4})(?=.)/g, "$1-");
}

function hashOf(subject: string, code: string): string {
  return hash("sha256", `${subject}\n${code.replace(/-/g, "")}`, "base64url");
}
