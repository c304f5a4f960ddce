import { and, asc, desc, eq } from "drizzle-orm";
import { z } from "zod";
import { DAY } from "#server/base/clock.ts";
import { notFound } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { isReachable, userById } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { renderEmail } from "#server/mail/layout.ts";
import { countMail } from "#server/mail/recipients.ts";
import { forgetSentEmails, noteSentEmail } from "#server/mail/student-emails.ts";
import { paragraphsOf } from "#server/mail/wording.ts";
import { describeAcademy } from "#server/settings/settings.ts";
import { personMails, personNotes } from "./tables.ts";

/** The `kind` in the list of sent emails. */
const mailKind = "written";

interface Written {
  readonly userId: string;
  readonly authorId: string;
  readonly text: string;
}

export async function addNote(tx: Db, note: Written & { readonly id: string }, now: Date): Promise<void> {
  await tx.insert(personNotes).values({ ...note, writtenAt: now });
}

/** @throws Refusal not-found. */
export async function deleteNote(tx: Db, { id, userId }: { readonly id: string; readonly userId: string }) {
  const gone = await tx
    .delete(personNotes)
    .where(and(eq(personNotes.id, id), eq(personNotes.userId, userId)))
    .returning({ id: personNotes.id });
  if (gone.length === 0) throw notFound("note");
}

export const mailPersonJob = defineJob("mail-person", z.object({ mailId: z.string() }), { lane: "mail" });

/** @returns the mail's id. @throws Refusal too-many-requests. */
export async function writeToPerson(tx: Db, mail: Written & { readonly subject: string }, now: Date): Promise<string> {
  await countMail(tx, mail.authorId, now);
  const id = newId();
  await tx.insert(personMails).values({ id, ...mail, writtenAt: now });
  await scheduleJob(tx, mailPersonJob, { data: { mailId: id }, key: id, runAt: now, now });
  return id;
}

/** Replies go to the support address. */
export async function mailPerson(ctx: Context, { mailId }: { mailId: string }): Promise<void> {
  const [mail] = await ctx.db.select().from(personMails).where(eq(personMails.id, mailId));
  if (!mail || mail.sentAt) return;
  const person = await userById(ctx.db, mail.userId);
  if (!isReachable(person)) return;
  const { id, userId, subject, text } = mail;
  const academy = await describeAcademy(ctx);
  const { supportEmail } = academy;
  const closing = `You can answer this mail, or write to ${supportEmail}.`;
  const email = renderEmail(
    { subject, paragraphs: paragraphsOf(text), closing },
    { firstName: person.firstName, academy },
  );
  await ctx.mail.send({ to: person.email, replyTo: supportEmail, ...email }, id);
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    await tx.update(personMails).set({ sentAt: now }).where(eq(personMails.id, id));
    await noteSentEmail(tx, { id, userId, kind: mailKind, subject, sentAt: now });
  });
}

/** The newest first. */
export function listNotesAbout(db: Db, userId: string) {
  return db.select().from(personNotes).where(eq(personNotes.userId, userId)).orderBy(desc(personNotes.writtenAt));
}

/** The newest first. */
export function listMailsTo(db: Db, userId: string) {
  return db.select().from(personMails).where(eq(personMails.userId, userId)).orderBy(desc(personMails.writtenAt));
}

/** For the person's own export. Leaves out notes: they are an administrator's opinion and may name others. */
export function exportMailsTo(db: Db, userId: string) {
  const { subject, text, writtenAt, sentAt } = personMails;
  return db
    .select({ subject, text, writtenAt, sentAt })
    .from(personMails)
    .where(eq(personMails.userId, userId))
    .orderBy(asc(personMails.writtenAt));
}

export async function forgetPerson(tx: Db, userId: string): Promise<void> {
  await tx.delete(personNotes).where(eq(personNotes.userId, userId));
  await tx.delete(personMails).where(eq(personMails.userId, userId));
  await forgetSentEmails(tx, userId, [mailKind]);
}

/** As long as entries of the list of sent emails. */
export const personMailRetention: RetentionRule = {
  table: personMails,
  from: personMails.writtenAt,
  keptFor: 1096 * DAY,
};
