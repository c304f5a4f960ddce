import { check, index, snakeCase, text } from "drizzle-orm/pg-core";
import { type Tier, tiers } from "#contract/tiers.ts";
import { id, instant, isOneOf } from "#server/db/columns.ts";
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

/** An address that may become an account; the account with this address, once confirmed, may accept it. */
export const invitations = snakeCase.table(
  "invitations",
  {
    id: id(),
    /** In lower case. */
    email: text().notNull().unique(),
    /** What it opens for as long as the plan lasts; null: nothing. */
    tier: text().$type<Tier>(),
    authorId: text().notNull(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    sentAt: instant(),
    acceptedAt: instant(),
  },
  (table) => [
    check("invitations_tier", isOneOf(table.tier, tiers)),
    index("invitations_expires_at").on(table.expiresAt),
  ],
);
