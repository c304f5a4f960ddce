import { and, eq, gt, lte, notExists, sql } from "drizzle-orm";
import { after, DAY } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { contactReplies, contacts } from "./tables.ts";

/** Support received each message as an email: none is lost unread. */
export async function forgetSender(tx: Db, email: string): Promise<void> {
  await tx.delete(contacts).where(eq(sql`lower(${contacts.email})`, email.toLowerCase()));
}

/** The privacy policy says so: content/legal.ts. */
const retention = 730 * DAY;

/** A message that waits for an answer stays. */
export async function purgeAnsweredContacts({ db, clock }: Context): Promise<void> {
  const before = after(clock.now(), -retention);
  const answeredSince = db
    .select({ one: sql`1` })
    .from(contactReplies)
    .where(and(eq(contactReplies.contactId, contacts.id), gt(contactReplies.writtenAt, before)));
  await db
    .delete(contacts)
    .where(and(eq(contacts.state, "answered"), lte(contacts.createdAt, before), notExists(answeredSince)));
}
