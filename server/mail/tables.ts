import { index, snakeCase, text } from "drizzle-orm/pg-core";
import { id, instant } from "#server/db/columns.ts";

/** The id is made of the occasion, so that no email goes out twice. The table has the name of an older release. */
export const sentEmails = snakeCase.table(
  "letters",
  {
    id: id(),
    /** The foreign key stands in the database alone: mail does not know users. */
    userId: text().notNull(),
    kind: text().notNull(),
    subject: text().notNull(),
    sentAt: instant().notNull(),
  },
  (table) => [index("letters_user_id").on(table.userId, table.sentAt), index("letters_sent_at").on(table.sentAt)],
);
