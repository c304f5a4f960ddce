import { eq } from "drizzle-orm";
import { z } from "zod";
import type { ContactState } from "#contract/admin/contacts.ts";
import { audited } from "#server/audit/audit.ts";
import { after, DAY } from "#server/base/clock.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import { requireVersion, versionOf } from "#server/base/version.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import type { User } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { countMail } from "#server/mail/recipients.ts";
import { describeAcademy } from "#server/settings/settings.ts";
import * as find from "./admin-queries.ts";
import { replyEmail } from "./emails.ts";
import { type ContactRow, findReply } from "./queries.ts";
import { contactReplies, contacts } from "./tables.ts";

export const mailContactReplyJob = defineJob("mail-contact-reply", z.object({ replyId: z.string() }), { lane: "mail" });

const answeredMeanwhile =
  "Somebody has answered this message since you opened it. Read it again; what you wrote is kept here.";

/** Of what was answered to a message. */
export function answersVersionOf({ state }: Pick<ContactRow, "state">, replies: number): string {
  return versionOf({ isAnswered: state === "answered", replies });
}

/**
 * @param version of the answers that its author had read.
 * @throws Refusal not-found, too-many-requests; conflict when there are other answers.
 */
export async function replyToMessage(
  ctx: Context,
  actor: User,
  reply: { readonly contactId: string; readonly text: string },
  version: string | undefined,
): Promise<void> {
  const { contactId } = reply;
  await audited(ctx, { actor, action: "reply to message", subject: contactId }, async (tx, now) => {
    await countMail(tx, actor.id, now);
    const before = await putOn(tx, contactId, "answered");
    const replies = await tx.$count(contactReplies, eq(contactReplies.contactId, contactId));
    requireVersion(version, answersVersionOf(before, replies), answeredMeanwhile);
    const id = newId();
    await tx.insert(contactReplies).values({ id, ...reply, authorId: actor.id, writtenAt: now });
    await scheduleJob(tx, mailContactReplyJob, { data: { replyId: id }, key: id, runAt: now, now });
    return { after: { replyId: id } };
  });
}

/** @returns the id of its entry in the audit log. @throws Refusal not-found. */
export async function moveMessage(ctx: Context, actor: User, contactId: string, state: ContactState): Promise<string> {
  const id = newId();
  await audited(ctx, { id, actor, action: "mark message", subject: contactId }, async (tx) => ({
    before: { state: (await putOn(tx, contactId, state)).state },
    after: { state },
  }));
  return id;
}

/** All of them or none. @returns as `moveMessage`, of those that were on another pile. */
export async function moveMessages(
  ctx: Context,
  actor: User,
  contactIds: readonly string[],
  state: ContactState,
): Promise<string[]> {
  return ctx.db.transaction(async (tx) => {
    // In one order: two people who mark the same messages wait for each other, and for nothing else.
    const found = await find.lockMessages(tx, contactIds);
    const marks: string[] = [];
    for (const { id } of found.filter((message) => message.state !== state)) {
      marks.push(await moveMessage({ ...ctx, db: tx }, actor, id, state));
    }
    return marks;
  });
}

const undoFor = 30 * DAY;

/**
 * Of messages with which nothing was done since: the mark is what the audit log says last of them.
 * @returns how many are back. @throws Refusal conflict when none is.
 */
export async function undoMarks(ctx: Context, actor: User, marks: readonly string[]): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const marked = await find.listMarks(tx, marks, after(ctx.clock.now(), -undoFor));
    const subjects = marked.map(({ subject }) => subject);
    await find.lockMessages(tx, subjects);
    const last = new Set(await find.listLastEntries(tx, subjects));
    const undone = marked.filter(({ id }) => last.has(id));
    for (const { subject, before, after } of undone) {
      await audited({ ...ctx, db: tx }, { actor, action: "undo mark of message", subject }, async (tx) => {
        await putOn(tx, subject, before.state);
        return { before: after, after: before };
      });
    }
    if (undone.length === 0) throw new Refusal("conflict", "This can’t be undone, because it has changed since.");
    return undone.length;
  });
}

/** With what was answered. The audit log keeps when the message came, and nothing of its sender. @throws Refusal not-found. */
export async function eraseMessage(
  ctx: Context,
  actor: User,
  contactId: string,
  reason: string | undefined,
): Promise<void> {
  await audited(ctx, { actor, action: "delete message", subject: contactId, reason }, async (tx) => {
    const [erased] = await tx.delete(contacts).where(eq(contacts.id, contactId)).returning();
    if (!erased) throw notFound("message");
    return { before: { receivedAt: erased.createdAt.toISOString(), state: erased.state } };
  });
}

/** Returns the message as it was before. @throws Refusal not-found. */
async function putOn(tx: Db, contactId: string, state: ContactState): Promise<ContactRow> {
  const [before] = await tx.select().from(contacts).where(eq(contacts.id, contactId)).for("update");
  if (!before) throw notFound("message");
  await tx.update(contacts).set({ state }).where(eq(contacts.id, contactId));
  return before;
}

export async function mailContactReply(ctx: Context, { replyId }: { replyId: string }, jobId: string): Promise<void> {
  const found = await findReply(ctx.db, replyId);
  if (!found || found.reply.sentAt) return;
  const { reply, contact } = found;
  await ctx.mail.send(replyEmail(contact, reply.text, await describeAcademy(ctx)), jobId);
  await ctx.db.update(contactReplies).set({ sentAt: ctx.clock.now() }).where(eq(contactReplies.id, replyId));
}
