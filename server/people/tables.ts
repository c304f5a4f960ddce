import { index, snakeCase, text } from "drizzle-orm/pg-core";
import { id, instant } from "#server/db/columns.ts";
import { ofUser } from "#server/identity/tables.ts";

/** For administrators alone. */
export const personNotes = snakeCase.table(
  "person_notes",
  {
    id: id(),
    userId: ofUser(),
    authorId: text().notNull(),
    text: text().notNull(),
    writtenAt: instant().notNull(),
  },
  (table) => [index("person_notes_user_id").on(table.userId, table.writtenAt)],
);

/** What an administrator wrote to one person by mail. */
export const personMails = snakeCase.table(
  "person_mails",
  {
    id: id(),
    userId: ofUser(),
    authorId: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    writtenAt: instant().notNull(),
    /** Null until the mail server took it. */
    sentAt: instant(),
  },
  (table) => [
    index("person_mails_user_id").on(table.userId, table.writtenAt),
    index("person_mails_written_at").on(table.writtenAt),
  ],
);
