import { index, snakeCase, text } from "drizzle-orm/pg-core";
import { id, instant } from "#server/db/columns.ts";

/**
 * Every email to a student, by a key that names its occasion: none goes out twice. Holds no address and no text. The
 * database calls it letters, as the release before does.
 */
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
  (table) => [index("letters_user_id").on(table.userId, table.sentAt)],
);
