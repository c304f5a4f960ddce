import { index, snakeCase, text } from "drizzle-orm/pg-core";
import { id, instant } from "#server/db/columns.ts";

/** The id derives from the occasion, so that no email is sent twice. */
export const sentEmails = snakeCase.table(
  "sent_emails",
  {
    id: id(),
    userId: text().notNull(),
    kind: text().notNull(),
    subject: text().notNull(),
    sentAt: instant().notNull(),
  },
  (table) => [
    index("sent_emails_user_id").on(table.userId, table.sentAt),
    index("sent_emails_sent_at").on(table.sentAt),
  ],
);

/** Refers to users, whom this folder does not import. @internal */
export const addedByMigrations = ["constraint sent_emails.sent_emails_user_id_users_id_fkey"];
