import { href } from "#contract/addresses.ts";
import {
  type Certificate,
  type CertificateFacts,
  maxCorrections,
  modulesInWords,
  type OwnCertificate,
} from "#contract/certificates.ts";
import { isPreviewing, requireUnblocked } from "#server/access/access.ts";
import { audited } from "#server/audit/audit.ts";
import { HOUR } from "#server/base/clock.ts";
import { invalidFields, notFound, Refusal } from "#server/base/refusal.ts";
import { findContentVersion } from "#server/catalogue/catalogue.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { countUse } from "#server/db/rate-limits.ts";
import { recordEvent } from "#server/deliveries/events.ts";
import { lockLiveUser, type User } from "#server/identity/users.ts";
import { drawableOf } from "#server/images/text-runs.ts";
import { postEmail } from "#server/mail/student-emails.ts";
import { currentSettings } from "#server/settings/settings.ts";
import { codeInGroups, hashOfCode, newCode, readCode } from "./codes.ts";
import { certificateIssuedEmail } from "./emails.ts";
import {
  type CertificateRow,
  eraseCertificate,
  findCertificate,
  hasReturnedMoney,
  insertCertificate,
  listRequiredLessons,
  updateCertificate,
  wasErased,
} from "./queries.ts";
import { factsOf, missingInWords, missingOf, type RequiredLesson } from "./rules.ts";
import { tellWithdrawal } from "./withdrawals.ts";

export async function describeOwn(ctx: Context, student: User): Promise<OwnCertificate> {
  const certificate = await findCertificate(ctx.db, { userId: student.id });
  if (certificate) {
    const { code, name, issuedAt, url, pdfUrl, withdrawnAt, pastNames } = present(ctx, certificate);
    const corrections = maxCorrections - pastNames.length;
    return {
      state: withdrawnAt === null ? "issued" : "withdrawn",
      missing: [],
      certificate: { code, name, issuedAt, corrections, url, pdfUrl },
    };
  }
  const lessons = await lessonsFor(ctx, ctx.db, student);
  const missing = missingOf(lessons);
  const isEarned = lessons.length > 0 && missing.length === 0 && !(await hasReturnedMoney(ctx.db, student.id));
  return { state: isEarned ? "earned" : "not-earned", missing, certificate: null };
}

async function lessonsFor(ctx: Context, db: Db, { id: userId }: User): Promise<RequiredLesson[]> {
  const { certificateModules: upToModule } = await currentSettings(db);
  return listRequiredLessons(db, { userId, upToModule, now: ctx.clock.now() });
}

const names = { max: 30, window: HOUR, message: "You’ve tried many names. Please try again in an hour." };

/**
 * Freezes what was done. One certificate for each student, however often and in parallel it is asked for.
 * @throws Refusal account-blocked; invalid-input for a name that no font can write; conflict when something is missing,
 * or it was issued to another name; too-many-requests
 */
export async function issue(ctx: Context, student: User, name: string): Promise<OwnCertificate> {
  requireUnblocked(student);
  await requirePrintable(ctx, student, name);
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    await lockLiveUser(tx, student.id);
    const issued = await findCertificate(tx, { userId: student.id });
    if (issued) {
      requireValid(issued);
      if (issued.name === name) return;
      throw new Refusal("conflict", `Your certificate was issued to ${issued.name}. Correct the name instead.`);
    }
    const lessons = await lessonsFor(ctx, tx, student);
    await requireEarned(ctx, tx, student, lessons);
    const { name: academyName, timeZone } = await currentSettings(tx);
    const catalogueVersion = await findContentVersion(tx);
    const facts = factsOf(lessons, { academyName, timeZone, catalogueVersion });
    const code = newCode();
    await insertCertificate(tx, { userId: student.id, code, name, facts, issuedAt: now });
    await recordEvent(tx, "certificate.issued", { id: code, userId: student.id }, now);
    const { url, pdfUrl } = addressesOf(ctx, code);
    const email = { modules: modulesInWords(facts.modules), code: codeInGroups(code), url, pdfUrl };
    await postEmail(tx, certificateIssuedEmail, { userId: student.id, occasion: code, facts: email }, now);
  });
  return describeOwn(ctx, student);
}

async function requireEarned(ctx: Context, tx: Db, student: User, lessons: readonly RequiredLesson[]): Promise<void> {
  if (await isPreviewing(ctx, student)) {
    const words = "We don’t save your progress while your role opens the course. Certificates are for students.";
    throw new Refusal("conflict", words);
  }
  if (lessons.length === 0) throw new Refusal("conflict", "There are no lessons for a certificate yet.");
  if (missingOf(lessons).length > 0) throw new Refusal("conflict", missingInWords(lessons));
  if (await hasReturnedMoney(tx, student.id)) {
    throw new Refusal("conflict", "Your payment was returned, so we can’t issue a certificate.");
  }
}

/** @throws Refusal as `issue`; not-found without a certificate; conflict once it was corrected twice, or withdrawn. */
export async function correctName(ctx: Context, student: User, name: string): Promise<OwnCertificate> {
  await requirePrintable(ctx, student, name);
  await ctx.db.transaction(async (tx) => {
    await lockLiveUser(tx, student.id);
    const issued = await findCertificate(tx, { userId: student.id });
    if (!issued) throw notFound("certificate");
    requireValid(issued);
    if (issued.name === name) return;
    if (issued.pastNames.length >= maxCorrections) {
      throw new Refusal("conflict", "You’ve already corrected the name twice. Contact us to change it again.");
    }
    const past = { name: issued.name, until: ctx.clock.now().toISOString() };
    await updateCertificate(tx, student.id, { name, pastNames: [...issued.pastNames, past] });
  });
  return describeOwn(ctx, student);
}

function requireValid({ withdrawnAt }: CertificateRow): void {
  if (withdrawnAt !== null) throw new Refusal("conflict", "Your certificate was withdrawn. Contact us about it.");
}

async function requirePrintable(ctx: Context, student: User, name: string): Promise<void> {
  await countUse(ctx.db, `certificate-name ${student.id}`, names, ctx.clock.now());
  if (drawableOf(name, "Helvetica").isComplete) return;
  throw invalidFields({ name: ["We have no font for some of these letters. Use another spelling of your name"] });
}

export const unknownCode = "No certificate has this code. Check that you copied all of it.";

/**
 * By its code in any typed form.
 * @throws Refusal not-found; gone once its student has deleted the account
 */
export async function certificateOf(ctx: Context, typed: string): Promise<Certificate> {
  const code = readCode(typed);
  const found = code && (await findCertificate(ctx.db, { code }));
  if (found) return present(ctx, found);
  if (code && (await wasErased(ctx.db, hashOfCode(code)))) {
    throw new Refusal("gone", "This certificate was deleted with its owner’s account.");
  }
  throw new Refusal("not-found", unknownCode);
}

/** @throws Refusal as `certificateOf`; conflict when it was withdrawn */
export async function validCertificateOf(ctx: Context, typed: string): Promise<Certificate> {
  const certificate = await certificateOf(ctx, typed);
  if (certificate.state === "valid") return certificate;
  throw new Refusal("conflict", "This certificate was withdrawn.");
}

/** A user's certificate for the team and the export; null without one. */
export async function findCertificateOf(ctx: Context, userId: string): Promise<Certificate | null> {
  const found = await findCertificate(ctx.db, { userId });
  return found && present(ctx, found);
}

export async function withdraw(ctx: Context, actor: User, userId: string, reason: string): Promise<void> {
  await change(ctx, { actor, userId, reason, action: "withdraw certificate" }, "valid", async (tx, { code }, now) => {
    await updateCertificate(tx, userId, { withdrawnAt: now });
    await tellWithdrawal(tx, { userId, code, withdrawnAt: now, reason }, now);
  });
}

export async function restore(ctx: Context, actor: User, userId: string, reason: string): Promise<void> {
  await change(
    ctx,
    { actor, userId, reason, action: "restore certificate" },
    "withdrawn",
    async (tx, { code }, now) => {
      await updateCertificate(tx, userId, { withdrawnAt: null, restoredAt: now, withdrawalToldAt: null });
      await recordEvent(tx, "certificate.issued", { id: code, userId }, now);
    },
  );
}

async function change(
  ctx: Context,
  { userId, ...entry }: { actor: User; userId: string; reason: string; action: string },
  from: Certificate["state"],
  apply: (tx: Db, found: CertificateRow, now: Date) => Promise<void>,
): Promise<void> {
  await audited(ctx, { ...entry, subject: userId }, async (tx, now) => {
    await lockLiveUser(tx, userId);
    const found = await findCertificate(tx, { userId });
    if (!found) throw notFound("certificate");
    const { state } = present(ctx, found);
    if (state !== from) throw new Refusal("conflict", `This certificate is already ${state}.`);
    await apply(tx, found, now);
    return { before: { state }, after: { state: from === "valid" ? "withdrawn" : "valid" } };
  });
}

/** Leaves only the code's hash, by which its page says that it was deleted. */
export async function forgetCertificate(tx: Db, userId: string, now: Date): Promise<void> {
  await eraseCertificate(tx, userId, hashOfCode, now);
}

function present({ site }: Pick<Context, "site">, row: CertificateRow): Certificate {
  const { code, name, pastNames, facts, issuedAt, withdrawnAt } = row;
  return {
    ...(facts satisfies CertificateFacts),
    code,
    state: withdrawnAt === null ? "valid" : "withdrawn",
    withdrawnAt: withdrawnAt?.toISOString() ?? null,
    name,
    pastNames: [...pastNames],
    issuedAt: issuedAt.toISOString(),
    ...addressesOf({ site }, code),
  };
}

function addressesOf({ site: { publicUrl } }: Pick<Context, "site">, code: string) {
  const address = `${publicUrl}/api/certificates/${code}`;
  return { url: publicUrl + href.verify(code), pdfUrl: `${address}/pdf`, pictureUrl: `${address}/picture` };
}
