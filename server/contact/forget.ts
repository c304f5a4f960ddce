import { and, eq, gt, notExists, sql } from "drizzle-orm";
import { DAY } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { contactReplies, contacts } from "./tables.ts";

/** Deletes messages of an address. Support has received each as an email. */
export async function forgetSender(tx: Db, email: string): Promise<void> {
  await tx.delete(contacts).where(eq(sql`lower(${contacts.email})`, email.toLowerCase()));
}

/** Counts from the last message of either side, as the privacy policy says (content/copy/legal.ts). */
export const contactRetention: RetentionRule = {
  table: contacts,
  from: contacts.createdAt,
  keptFor: 730 * DAY,
  where: (db, until) => {
    const repliedSince = and(eq(contactReplies.contactId, contacts.id), gt(contactReplies.writtenAt, until));
    return notExists(db.select({ one: sql`1` }).from(contactReplies).where(repliedSince));
  },
};
