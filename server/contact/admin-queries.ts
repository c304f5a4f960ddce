import { and, asc, desc, eq, gte, inArray, ne, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { ContactFilter, ContactListQuery, ContactState } from "#contract/admin/contacts.ts";
import { auditLog } from "#server/audit/tables.ts";
import type { Db } from "#server/db/db.ts";
import { containsWords, isInSelection, type RowSelection, selectRows } from "#server/db/paging.ts";
import { users } from "#server/identity/tables.ts";
import { deleted, type User } from "#server/identity/users.ts";
import { contactReplies, contacts } from "./tables.ts";

export type ContactWithSender = Awaited<ReturnType<typeof listContactRows>>[number];

/** Each with the account whose verified address it gives. */
export async function listContactRows(db: Db, query: ContactListQuery & RowSelection) {
  return selectRows(db, withSender(db).$dynamic(), {
    ...query,
    table: contacts,
    id: contacts.id,
    key: contacts.createdAt,
    where: and(found(query), isInSelection(contacts.id, query)),
  });
}

export function countContactRows(db: Db, query: z.infer<typeof ContactFilter> & RowSelection): Promise<number> {
  return db.$count(contacts, and(found(query), isInSelection(contacts.id, query)));
}

export async function findContactRow(db: Db, id: string): Promise<ContactWithSender | null> {
  const [row] = await withSender(db).where(eq(contacts.id, id));
  return row ?? null;
}

function withSender(db: Db) {
  return db
    .select({
      contact: contacts,
      userId: users.id,
      replies: sql<number>`(select count(*)::int from ${contactReplies} where contact_id = ${contacts.id})`,
    })
    .from(contacts)
    .leftJoin(users, isSender);
}

/** Anybody can type any address into the form, so only an account's verified address tells who sent the message. */
const isSender = and(
  eq(sql`lower(${users.email})`, sql`lower(${contacts.email})`),
  eq(users.emailVerified, true),
  ne(users.accountStatus, deleted),
);

function found({ search, state }: z.infer<typeof ContactFilter>): SQL | undefined {
  const inState = state && (state === "unanswered" ? ne(contacts.state, "answered") : eq(contacts.state, state));
  return and(inState, ...containsWords(contacts.searchText, search));
}

/** In one order. */
export function lockMessages(tx: Db, ids: readonly string[]) {
  return tx
    .select({ id: contacts.id, state: contacts.state })
    .from(contacts)
    .where(inArray(contacts.id, [...ids]))
    .orderBy(asc(contacts.id))
    .for("update");
}

/** What marks of no longer ago than `since` changed, of messages that are still there. */
export function listMarks(db: Db, ids: readonly string[], since: Date) {
  const { id, subject, before, after } = auditLog;
  type Pile = { readonly state: ContactState };
  return db
    .select({ id, subject, before: sql<Pile>`${before}`, after: sql<Pile>`${after}` })
    .from(auditLog)
    .innerJoin(contacts, eq(contacts.id, subject))
    .where(and(inArray(id, [...ids]), eq(auditLog.action, "mark message"), gte(auditLog.createdAt, since)));
}

/** The id of the last entry about each. */
export async function listLastEntries(db: Db, subjects: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectDistinctOn([auditLog.subject], { id: auditLog.id })
    .from(auditLog)
    .where(inArray(auditLog.subject, [...subjects]))
    .orderBy(auditLog.subject, desc(auditLog.createdAt));
  return rows.map(({ id }) => id);
}

/** The author is null when their account is deleted. */
export function listReplyRows(db: Db, contactId: string) {
  return db
    .select({
      reply: contactReplies,
      author: { firstName: users.firstName, lastName: users.lastName, email: users.email },
    })
    .from(contactReplies)
    .leftJoin(users, and(eq(users.id, contactReplies.authorId), ne(users.accountStatus, deleted)))
    .where(eq(contactReplies.contactId, contactId))
    .orderBy(asc(contactReplies.writtenAt), asc(contactReplies.id));
}

export function listOtherMessages(db: Db, { id, email }: { id: string; email: string }) {
  return db
    .select({ id: contacts.id, message: contacts.message, state: contacts.state, createdAt: contacts.createdAt })
    .from(contacts)
    .where(and(eq(sql`lower(${contacts.email})`, email.toLowerCase()), ne(contacts.id, id)))
    .orderBy(desc(contacts.createdAt))
    .limit(20);
}

export async function findAccount(db: Db, userId: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  return user ?? null;
}
