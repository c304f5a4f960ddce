import { sql } from "drizzle-orm";
import { boolean, check, index, integer, json, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import { Fate, ImportOutcome, type ImportSource, ImportState } from "#contract/admin/imports.ts";
import { type Tier, tiers } from "#contract/tiers.ts";
import { id, instant, isOneOf } from "#server/db/columns.ts";

export const sendingStates = ["none", "sending", "stopped", "done"] as const;

/** A list of students from another program: a batch (`server/batches`) of its rows. */
export const imports = snakeCase.table(
  "imports",
  {
    id: id(),
    authorId: text().notNull(),
    fileName: text().notNull(),
    source: text().$type<ImportSource>(),
    columns: json().$type<readonly string[]>().notNull(),
    new: integer().notNull(),
    changed: integer().notNull(),
    same: integer().notNull(),
    refused: integer().notNull(),
    state: text().$type<ImportState>().notNull().default("checked"),
    turn: integer().notNull().default(0),
    people: integer().notNull(),
    done: integer().notNull().default(0),
    skipped: integer().notNull().default(0),
    createdAt: instant().notNull(),
    finishedAt: instant(),
    sending: text().$type<(typeof sendingStates)[number]>().notNull().default("none"),
    sendingTurn: integer().notNull().default(0),
    invitationsPerHour: integer().notNull(),
    /** Who sends the invitations, or did last. */
    senderId: text(),
    /** Null once it is started. */
    unusedUntil: instant(),
  },
  (table) => [
    check("imports_state", isOneOf(table.state, ImportState.options)),
    check("imports_sending", isOneOf(table.sending, sendingStates)),
    index("imports_created_at").on(table.createdAt, table.id),
  ],
);

/** A row of an import. Once it is dealt with and nobody has claimed it, it is the invitation of its address. */
export const importRows = snakeCase.table(
  "import_rows",
  {
    id: id(),
    importId: text()
      .notNull()
      .references(() => imports.id, { onDelete: "cascade" }),
    line: integer().notNull(),
    /** In the stored form, or as in the file when it is not an address. */
    email: text().notNull(),
    name: text(),
    tier: text().$type<Tier>(),
    /** Null: as long as the plan lasts. */
    endsAt: instant(),
    /** The ids of lessons. */
    completed: json().$type<readonly string[]>().notNull(),
    mayEmail: boolean().notNull(),
    fate: text().$type<Fate>().notNull(),
    reason: text(),
    /** As in the file, for the file of errors. */
    cells: json().$type<readonly string[]>().notNull(),
    /** Null while it waits. */
    outcome: text().$type<ImportOutcome>(),
    closedAt: instant(),
    userId: text(),
    sentAt: instant(),
    tries: integer().notNull().default(0),
    deletesAt: instant().notNull(),
  },
  (table) => [
    check("import_rows_fate", isOneOf(table.fate, Fate.options)),
    check("import_rows_outcome", isOneOf(table.outcome, ImportOutcome.options)),
    check("import_rows_tier", isOneOf(table.tier, tiers)),
    uniqueIndex("import_rows_line").on(table.importId, table.line),
    // An address has one invitation, which sign-ins look for.
    uniqueIndex("import_rows_invited").on(table.email).where(sql`${table.outcome} = 'invited'`),
    index("import_rows_email").on(table.email),
    index("import_rows_user_id").on(table.userId),
    index("import_rows_deletes_at").on(table.deletesAt),
  ],
);

/** Whom imports have emailed, also after the list was deleted: for one email each, and for the limit of an hour. */
export const importMails = snakeCase.table(
  "import_mails",
  {
    /** Of the mailbox, keyed. */
    addressHash: text().primaryKey(),
    sentAt: instant().notNull(),
  },
  (table) => [index("import_mails_sent_at").on(table.sentAt)],
);
