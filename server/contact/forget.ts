import { and, eq, gt, notExists, sql } from "drizzle-orm";
import { DAY } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { contactReplies, contacts } from "./tables.ts";

/** Support received each message as an email: none is lost unread. */
export async function forgetSender(tx: Db, email: string): Promise<void> {
  await tx.delete(contacts).where(eq(sql`lower(${contacts.email})`, email.toLowerCase()));
}

/** Since the last word of either side; the privacy policy says so: content/copy/legal.ts. */
export const contactRetention: RetentionRule = {
  table: contacts,
  from: contacts.createdAt,
  keptFor: 730 * DAY,
  where: (db, until) => {
    const repliedSince = and(eq(contactReplies.contactId, contacts.id), gt(contactReplies.writtenAt, until));
    return notExists(db.select({ one: sql`1` }).from(contactReplies).where(repliedSince));
  },
};
