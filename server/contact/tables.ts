import { sql } from "drizzle-orm";
import { boolean, check, index, snakeCase, text } from "drizzle-orm/pg-core";
import { ContactState } from "#contract/admin/contacts.ts";
import { id, instant, isOneOf, searchText } from "#server/db/columns.ts";

export const contacts = snakeCase.table(
  "contacts",
  {
    id: id(),
    name: text().notNull(),
    email: text().notNull(),
    message: text().notNull(),
    /** Identifies the client for the limit. */
    clientHash: text().notNull(),
    /** Written as programs write; some password managers do the same. */
    isSuspected: boolean().notNull().default(false),
    state: text().$type<ContactState>().notNull().default("new"),
    createdAt: instant().notNull(),
    searchText: searchText("name", "email", "message"),
  },
  (table) => [
    check("contacts_state", isOneOf(table.state, ContactState.options)),
    index("contacts_search").using("gin", table.searchText.op("gin_trgm_ops")),
    index("contacts_created_at").on(table.createdAt, table.id),
    index("contacts_email").on(sql`lower(${table.email})`),
  ],
);

/** Deleted with its message. */
export const contactReplies = snakeCase.table(
  "contact_replies",
  {
    id: id(),
    contactId: text()
      .notNull()
      .references(() => contacts.id, { onDelete: "cascade" }),
    authorId: text().notNull(),
    text: text().notNull(),
    writtenAt: instant().notNull(),
    /** Null until the email is sent. */
    sentAt: instant(),
  },
  (table) => [index("contact_replies_contact_id").on(table.contactId, table.writtenAt)],
);
