import { sql } from "drizzle-orm";
import { check, index, integer, json, primaryKey, snakeCase, text } from "drizzle-orm/pg-core";
import { BatchState } from "#contract/admin/batches.ts";
import { BulkKind, SkipReason } from "#contract/admin/bulk-actions.ts";
import { type StaffRole, staffRoles } from "#contract/roles.ts";
import { type Tier, tiers } from "#contract/tiers.ts";
import { id, instant, isOneOf } from "#server/db/columns.ts";
import { ofUser } from "#server/identity/tables.ts";

/** Only administrators see these. */
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

/** Mails that an administrator wrote to one person. */
export const personMails = snakeCase.table(
  "person_mails",
  {
    id: id(),
    userId: ofUser(),
    authorId: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    writtenAt: instant().notNull(),
    /** Null until the mail server accepted it. */
    sentAt: instant(),
  },
  (table) => [
    index("person_mails_user_id").on(table.userId, table.writtenAt),
    index("person_mails_written_at").on(table.writtenAt),
  ],
);

/** An invited address. An account that has confirmed this address may accept the invitation. */
export const invitations = snakeCase.table(
  "invitations",
  {
    id: id(),
    /** In lower case. */
    email: text().notNull().unique(),
    /** The tier that it gives, for the length of the plan. Null: none. */
    tier: text().$type<Tier>(),
    /** The role that it gives. Null: none. */
    role: text().$type<StaffRole>(),
    authorId: text().notNull(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    sentAt: instant(),
    acceptedAt: instant(),
  },
  (table) => [
    check("invitations_tier", isOneOf(table.tier, tiers)),
    check("invitations_role", isOneOf(table.role, staffRoles)),
    index("invitations_expires_at").on(table.expiresAt),
  ],
);

/** An administrator's action on many people: a batch (`server/batches`). */
export const bulkActions = snakeCase.table(
  "bulk_actions",
  {
    /** Chosen by the browser as an idempotency key. */
    id: text().primaryKey(),
    actorId: text().notNull(),
    kind: text().$type<BulkKind>().notNull(),
    tier: text().$type<Tier>(),
    endsAt: instant(),
    reason: text(),
    /** The action that this one undoes. */
    undoes: text().unique(),
    state: text().$type<BatchState>().notNull().default("running"),
    turn: integer().notNull().default(0),
    people: integer().notNull().default(0),
    done: integer().notNull().default(0),
    skipped: integer().notNull().default(0),
    createdAt: instant().notNull(),
    finishedAt: instant(),
  },
  (table) => [
    check("bulk_actions_kind", isOneOf(table.kind, BulkKind.options)),
    check("bulk_actions_tier", isOneOf(table.tier, tiers)),
    check("bulk_actions_state", isOneOf(table.state, BatchState.options)),
    index("bulk_actions_created_at").on(table.createdAt, table.id),
  ],
);

/** Fixed when the action begins. */
export const bulkActionPeople = snakeCase.table(
  "bulk_action_people",
  {
    bulkActionId: text()
      .notNull()
      .references(() => bulkActions.id),
    userId: ofUser(),
    number: integer().notNull(),
    tries: integer().notNull().default(0),
    /** Null while the person waits. */
    outcome: text().$type<"done" | "skipped">(),
    skippedBecause: text().$type<SkipReason>(),
    /** The id of the audit log's entry and of the grant, so that nothing is done twice. */
    actionId: text().notNull(),
    /** The state that undoing restores. */
    before: json().$type<StateBefore>(),
    closedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.bulkActionId, table.userId] }),
    check("bulk_action_people_outcome", isOneOf(table.outcome, ["done", "skipped"])),
    check("bulk_action_people_skipped_because", isOneOf(table.skippedBecause, SkipReason.options)),
    index("bulk_action_people_waiting")
      .on(table.bulkActionId, table.tries, table.number)
      .where(sql`${table.outcome} is null`),
    index("bulk_action_people_user_id").on(table.userId),
    index("bulk_action_people_closed_at").on(table.closedAt),
  ],
);

export interface StateBefore {
  readonly accountStatus: string;
  readonly suspensionReason: string | null;
  /** Blocked by an administrator, and not because of a payment. */
  readonly isHeld: boolean;
}
