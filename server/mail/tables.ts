import { index, snakeCase, text } from "drizzle-orm/pg-core";
import { id, instant } from "#server/db/columns.ts";

/** The id derives from the occasion, so that no email is sent twice. An older release named the table. */
export const sentEmails = snakeCase.table(
  "letters",
  {
    id: id(),
    userId: text().notNull(),
    kind: text().notNull(),
    subject: text().notNull(),
    sentAt: instant().notNull(),
  },
  (table) => [index("letters_user_id").on(table.userId, table.sentAt), index("letters_sent_at").on(table.sentAt)],
);

/** Refers to users, whom this folder does not import. @internal */
export const addedByMigrations = ["constraint letters.letters_user_id_users_id_fkey"];
