import { index, snakeCase, text } from "drizzle-orm/pg-core";
import { id, instant } from "#server/db/columns.ts";

/** The id derives from the occasion, so that no email is sent twice. An older release named the table. */
export const sentEmails = snakeCase.table(
  "letters",
  {
    id: id(),
    /** A migration adds the foreign key: this folder does not import users. */
    userId: text().notNull(),
    kind: text().notNull(),
    subject: text().notNull(),
    sentAt: instant().notNull(),
  },
  (table) => [index("letters_user_id").on(table.userId, table.sentAt), index("letters_sent_at").on(table.sentAt)],
);
