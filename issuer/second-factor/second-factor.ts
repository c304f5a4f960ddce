import { hash, randomBytes } from "node:crypto";
import { and, eq, gt, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { type Clock, HOUR } from "#server/base/clock.ts";
import { sealingFor } from "#server/base/sealing.ts";
import type { Db } from "#server/db/db.ts";
import type { EnqueueMail } from "../mails.ts";
import { endSignIns, type KeptSession } from "../sign-ins.ts";
import { recoveryCodes, secondFactors } from "../tables.ts";

const { seal, unseal } = sealingFor("issuer second factor");

const STEP_SECONDS = 30;
/** How long a new key can be confirmed by its first code. */
const pendingTime = HOUR;
const recoveryCodeCount = 10;

export interface FactorScope {
  readonly db: Db;
  readonly clock: Clock;
  /** The issuer's secrets: the first encrypts, all decrypt. */
  readonly secrets: readonly string[];
  readonly enqueueMail: EnqueueMail;
}

interface Owner {
  readonly subject: string;
  readonly email: string;
}

/** Whether signing in to the account needs a code besides the password. */
export async function hasSecondFactor(db: Db, subject: string): Promise<boolean> {
  const [row] = await db
    .select({ subject: secondFactors.subject })
    .from(secondFactors)
    .where(and(eq(secondFactors.subject, subject), isNotNull(secondFactors.confirmedAt)));
  return row !== undefined;
}

/** Unused ones. */
export function countRecoveryCodes(db: Db, subject: string): Promise<number> {
  return db.$count(recoveryCodes, eq(recoveryCodes.subject, subject));
}

/**
 * Creates a key for an account without a second factor. Its first code within an hour turns the second factor on.
 * @returns the key and its `otpauth` URL; null when the account has a second factor already
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
 * Turns the second factor on by a first code, ends every sign-in except the kept one, because they proved no code,
 * and mails the person.
 * @returns the recovery codes, which are never shown again; null when the code is wrong or the key has expired
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

/**
 * Turns the second factor off, deletes its recovery codes, ends every sign-in, because they count as proved by it, and
 * mails the person. The kept one stays at the issuer only.
 */
export async function removeSecondFactor(
  { db, clock, enqueueMail }: FactorScope,
  { subject, email }: Owner,
  { uid }: KeptSession,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [removed] = await tx
      .delete(secondFactors)
      .where(and(eq(secondFactors.subject, subject), isNotNull(secondFactors.confirmedAt)))
      .returning({ subject: secondFactors.subject });
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.subject, subject));
    if (!removed) return;
    await endSignIns(tx, clock, subject, { uid, sid: null });
    await enqueueMail(tx, { kind: "second-factor-off", to: email });
  });
}

/**
 * Uses up a code of the app, or a recovery code, and mails the person about the latter. False when it is neither, or
 * was used before.
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
  // Encrypts again with the first secret, so that the operator can remove the old one once everybody has signed in.
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

/** The time step of a code, with a clock skew of up to one step. Null for a wrong code. */
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

/** 80 random bits, in groups for easy copying. */
function newRecoveryCode(): string {
  const letters = Array.from(randomBytes(16), (byte) => alphabet[byte & 31]).join("");
  return letters.replace(/(.{4})(?=.)/g, "$1-");
}

function hashOf(subject: string, code: string): string {
  return hash("sha256", `${subject}\n${code.replace(/-/g, "")}`, "base64url");
}
