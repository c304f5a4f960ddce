import { asc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { ContactMessage } from "#contract/contact.ts";
import { after, DAY, HOUR } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import type { Client } from "#server/http/client.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { requireWritable } from "#server/mail/recipients.ts";
import { describeAcademy } from "#server/settings/settings.ts";
import { receivedEmail } from "./emails.ts";
import { countReceived, findContact, isKnown } from "./queries.ts";
import { checkReceived, seemsWrittenByProgram } from "./rules.ts";
import { contacts } from "./tables.ts";

/** An arbitrary constant. Messages take this lock, so that the limit holds over all nodes. */
const lockKey = 7_204_412;

export const mailContactJob = defineJob("mail-contact", z.object({ contactId: z.string() }), { lane: "mail" });

/** Stores a message, but no repetition within a day. @throws Refusal too-many-requests, invalid-input. */
export async function receiveMessage(ctx: Context, form: ContactMessage, client: Client): Promise<void> {
  const { name, email, message } = form;
  await requireWritable(ctx.mail, "email", email);
  const clientHash = ctx.hashClient(client);
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${lockKey})`);
    if (await isKnown(tx, { email, message }, after(now, -DAY))) return;
    checkReceived(await countReceived(tx, clientHash, after(now, -HOUR)));
    await recordMessage(tx, { name, email, message, clientHash, isSuspected: seemsWrittenByProgram(form) }, now);
  });
}

/** Stores a message without counting it, for callers that have limits of their own. */
export async function recordMessage(
  tx: Db,
  message: Pick<typeof contacts.$inferInsert, "name" | "email" | "message" | "clientHash" | "isSuspected">,
  now: Date,
): Promise<void> {
  const id = newId();
  await tx.insert(contacts).values({ id, ...message, createdAt: now });
  await scheduleJob(tx, mailContactJob, { data: { contactId: id }, key: id, runAt: now, now });
}

/** Mails a message to support. Nothing is sent to the address in it, which nobody has confirmed. */
export async function mailContact(ctx: Context, { contactId }: { contactId: string }, jobId: string): Promise<void> {
  const contact = await findContact(ctx.db, contactId);
  if (contact) await ctx.mail.send(receivedEmail(contact, await describeAcademy(ctx)), jobId);
}

export async function listMessagesFrom(
  db: Db,
  email: string,
): Promise<{ name: string; email: string; message: string; createdAt: Date }[]> {
  return db
    .select({ name: contacts.name, email: contacts.email, message: contacts.message, createdAt: contacts.createdAt })
    .from(contacts)
    .where(eq(sql`lower(${contacts.email})`, email.toLowerCase()))
    .orderBy(asc(contacts.createdAt));
}
