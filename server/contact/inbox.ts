import { eq } from "drizzle-orm";
import { z } from "zod";
import type { ContactState } from "#contract/admin/contacts.ts";
import { notFound } from "#server/base/refusal.ts";
import { requireVersion, versionOf } from "#server/base/version.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { describeAcademy } from "#server/settings/settings.ts";
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
 * Returns the reply's id.
 * @param version of the answers that its author had read.
 * @throws Refusal not-found; conflict when there are others.
 */
export async function replyToMessage(
  tx: Db,
  reply: { readonly contactId: string; readonly authorId: string; readonly text: string },
  version: string | undefined,
  now: Date,
): Promise<string> {
  const before = await moveMessage(tx, reply.contactId, "answered");
  const replies = await tx.$count(contactReplies, eq(contactReplies.contactId, reply.contactId));
  requireVersion(version, answersVersionOf(before, replies), answeredMeanwhile);
  const id = newId();
  await tx.insert(contactReplies).values({ id, ...reply, writtenAt: now });
  await scheduleJob(tx, mailContactReplyJob, { data: { replyId: id }, key: id, runAt: now, now });
  return id;
}

/** Returns the message as it was before. @throws Refusal not-found. */
export async function moveMessage(tx: Db, contactId: string, state: ContactState): Promise<ContactRow> {
  const [before] = await tx.select().from(contacts).where(eq(contacts.id, contactId)).for("update");
  if (!before) throw notFound("message");
  await tx.update(contacts).set({ state }).where(eq(contacts.id, contactId));
  return before;
}

/** Deletes a message with its replies. @throws Refusal not-found. */
export async function eraseMessage(tx: Db, contactId: string): Promise<void> {
  const erased = await tx.delete(contacts).where(eq(contacts.id, contactId)).returning({ id: contacts.id });
  if (erased.length === 0) throw notFound("message");
}

export async function mailContactReply(ctx: Context, { replyId }: { replyId: string }, jobId: string): Promise<void> {
  const found = await findReply(ctx.db, replyId);
  if (!found || found.reply.sentAt) return;
  const { reply, contact } = found;
  await ctx.mail.send(replyEmail(contact, reply.text, await describeAcademy(ctx)), jobId);
  await ctx.db.update(contactReplies).set({ sentAt: ctx.clock.now() }).where(eq(contactReplies.id, replyId));
}
