import { and, eq, gt, sql } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import type { Received } from "./rules.ts";
import { contactReplies, contacts } from "./tables.ts";

export type ContactRow = typeof contacts.$inferSelect;

export async function countReceived(db: Db, clientHash: string, since: Date): Promise<Received> {
  const [row] = await db
    .select({
      ofClient: sql<number>`count(*) filter (where ${contacts.clientHash} = ${clientHash})::int`,
      ofAll: sql<number>`count(*)::int`,
    })
    .from(contacts)
    .where(gt(contacts.createdAt, since));
  return row ?? { ofClient: 0, ofAll: 0 };
}

export async function isKnown(db: Db, message: { email: string; message: string }, since: Date): Promise<boolean> {
  const rows = await db
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(gt(contacts.createdAt, since), eq(contacts.email, message.email), eq(contacts.message, message.message)))
    .limit(1);
  return rows.length > 0;
}

export async function findContact(db: Db, id: string): Promise<ContactRow | null> {
  const [row] = await db.select().from(contacts).where(eq(contacts.id, id));
  return row ?? null;
}

export async function findReply(
  db: Db,
  id: string,
): Promise<{ reply: typeof contactReplies.$inferSelect; contact: ContactRow } | null> {
  const [row] = await db
    .select({ reply: contactReplies, contact: contacts })
    .from(contactReplies)
    .innerJoin(contacts, eq(contacts.id, contactReplies.contactId))
    .where(eq(contactReplies.id, id));
  return row ?? null;
}
