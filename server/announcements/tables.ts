import { sql } from "drizzle-orm";
import { boolean, check, index, integer, json, primaryKey, snakeCase, text } from "drizzle-orm/pg-core";
import { AnnouncementState, type Audience, type SendAt } from "#contract/admin/announcements.ts";
import { id, instant, isOneOf } from "#server/db/columns.ts";
import { ofUser } from "#server/identity/tables.ts";

/** A batch (`server/batches`). */
export const announcements = snakeCase.table(
  "announcements",
  {
    id: id(),
    subject: text().notNull(),
    text: text().notNull(),
    buttonLabel: text(),
    buttonUrl: text(),
    audience: text().$type<Audience>().notNull(),
    toTeam: boolean().notNull().default(false),
    state: text().$type<AnnouncementState>().notNull().default("draft"),
    turn: integer().notNull().default(0),
    people: integer().notNull().default(0),
    done: integer().notNull().default(0),
    skipped: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    createdAt: instant().notNull(),
    startedAt: instant(),
    /** Null: it is or was sent right away. A draft whose schedule was cancelled keeps it. */
    sendAt: json().$type<SendAt>(),
    /** When the recipients of a scheduled one are fixed. On the academy's clock, it is the time that was asked for. */
    beginsAt: instant(),
    /** Of the team, until sending begins. */
    scheduledBy: text(),
    finishedAt: instant(),
  },
  (table) => [
    check("announcements_state", isOneOf(table.state, AnnouncementState.options)),
    check("announcements_begins_at", sql`${table.state} <> 'scheduled' or ${table.beginsAt} is not null`),
    check("announcements_button", sql`(${table.buttonLabel} is null) = (${table.buttonUrl} is null)`),
    index("announcements_created_at").on(table.createdAt, table.id),
  ],
);

export const outcomes = ["sent", "left-out", "failed", "stopped"] as const;
export type Outcome = (typeof outcomes)[number];

export const announcementRecipients = snakeCase.table(
  "announcement_recipients",
  {
    announcementId: text()
      .notNull()
      .references(() => announcements.id),
    userId: ofUser(),
    dueAt: instant().notNull(),
    tries: integer().notNull().default(0),
    /** Null while the mail waits. */
    outcome: text().$type<Outcome>(),
    closedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.announcementId, table.userId] }),
    check("announcement_recipients_outcome", isOneOf(table.outcome, outcomes)),
    index("announcement_recipients_due").on(table.announcementId, table.dueAt).where(sql`${table.outcome} is null`),
    index("announcement_recipients_user_id").on(table.userId),
    index("announcement_recipients_closed_at").on(table.closedAt),
  ],
);

/** People who were selected by hand, until their announcement begins to be sent. */
export const announcementSelections = snakeCase.table(
  "announcement_selections",
  {
    selectionId: text().notNull(),
    userId: ofUser(),
    createdAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.selectionId, table.userId] }),
    index("announcement_selections_user_id").on(table.userId),
    index("announcement_selections_created_at").on(table.createdAt),
  ],
);

/** Created with a person's first optional email or choice. Without a row, they get all of them. */
export const announcementChoices = snakeCase.table("announcement_choices", {
  userId: ofUser().primaryKey(),
  /** Announcements. */
  wanted: boolean().notNull().default(true),
  answers: boolean().notNull().default(true),
  /** Only in this person's mails. It never expires, because it can only unsubscribe. */
  token: text().notNull().unique().default(sql`replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')`),
  updatedAt: instant().notNull(),
});
