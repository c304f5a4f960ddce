import { and, asc, desc, eq } from "drizzle-orm";
import { z } from "zod";
import type { Correspondence } from "#contract/admin/people.ts";
import { audited } from "#server/audit/audit.ts";
import { DAY } from "#server/base/clock.ts";
import { notFound } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { listPeople, nameOf } from "#server/identity/names.ts";
import { isReachable, liveUserById, lockLiveUser, type User, userById } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { renderEmail } from "#server/mail/layout.ts";
import { countMail } from "#server/mail/recipients.ts";
import { forgetSentEmails, noteSentEmail } from "#server/mail/student-emails.ts";
import { paragraphsOf } from "#server/mail/wording.ts";
import { describeAcademy } from "#server/settings/settings.ts";
import { personMails, personNotes } from "./tables.ts";

/** The `kind` in the list of sent emails. */
const mailKind = "written";

export const mailPersonJob = defineJob("mail-person", z.object({ mailId: z.string() }), { lane: "mail" });

/** The newest first. @throws Refusal not-found. */
export async function describeCorrespondence(ctx: Context, userId: string): Promise<Correspondence> {
  await liveUserById(ctx.db, userId);
  const [notes, mails] = await Promise.all([
    ctx.db.select().from(personNotes).where(eq(personNotes.userId, userId)).orderBy(desc(personNotes.writtenAt)),
    ctx.db.select().from(personMails).where(eq(personMails.userId, userId)).orderBy(desc(personMails.writtenAt)),
  ]);
  const authors = await listPeople(
    ctx.db,
    [...notes, ...mails].map(({ authorId }) => authorId),
  );
  const authorOf = (authorId: string) => nameOf(authors.find(({ id }) => id === authorId) ?? null);
  return {
    notes: notes.map(({ id, text, authorId, writtenAt }) => ({
      id,
      text,
      author: authorOf(authorId),
      writtenAt: writtenAt.toISOString(),
    })),
    mails: mails.map(({ id, subject, text, authorId, writtenAt, sentAt }) => ({
      id,
      subject,
      text,
      author: authorOf(authorId),
      writtenAt: writtenAt.toISOString(),
      sentAt: sentAt?.toISOString() ?? null,
    })),
  };
}

interface About {
  readonly actor: User;
  readonly userId: string;
}

/** @throws Refusal not-found, too-many-requests. */
export async function writeToPerson(
  ctx: Context,
  { actor, userId }: About,
  mail: { readonly subject: string; readonly text: string },
): Promise<void> {
  await audited(ctx, { actor, action: "write to user", subject: userId }, async (tx, now) => {
    await lockLiveUser(tx, userId);
    await countMail(tx, actor.id, now);
    const id = newId();
    await tx.insert(personMails).values({ id, userId, authorId: actor.id, ...mail, writtenAt: now });
    await scheduleJob(tx, mailPersonJob, { data: { mailId: id }, key: id, runAt: now, now });
    return { after: { mailId: id } };
  });
}

/** Audited under the note's id: what is audited under a person's is in that person's archive. @throws Refusal not-found. */
export async function addNote(ctx: Context, { actor, userId }: About, text: string): Promise<void> {
  const id = newId();
  await audited(ctx, { actor, action: "add note", subject: id }, async (tx, now) => {
    await lockLiveUser(tx, userId);
    await tx.insert(personNotes).values({ id, userId, authorId: actor.id, text, writtenAt: now });
    return { after: { user: userId } };
  });
}

/** @throws Refusal not-found. */
export async function deleteNote(ctx: Context, { actor, userId }: About, id: string): Promise<void> {
  await audited(ctx, { actor, action: "delete note", subject: id }, async (tx) => {
    const gone = await tx
      .delete(personNotes)
      .where(and(eq(personNotes.id, id), eq(personNotes.userId, userId)))
      .returning({ id: personNotes.id });
    if (gone.length === 0) throw notFound("note");
    return { before: { user: userId } };
  });
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
  const closing = `You can reply to this email, or write to ${supportEmail}.`;
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
