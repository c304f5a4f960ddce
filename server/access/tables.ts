import { index, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Tier } from "#contract/tiers.ts";
import { id, moment } from "#server/db/columns.ts";
import { users } from "#server/identity/tables.ts";

/** The ledger of what opened the course to whom. Append-only: the database refuses to change or delete a row. */
export const grants = snakeCase.table(
  "grants",
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id),
    tier: text().$type<Tier>().notNull(),
    source: text().$type<GrantSource>().notNull(),
    /** The purchase or the administrator's act behind it. With `source` unique, so that a fact is recorded once. */
    sourceId: text().notNull(),
    startsAt: moment().notNull(),
    /** Null: it never ends by itself. */
    endsAt: moment(),
    reason: text(),
    createdAt: moment().notNull(),
  },
  (table) => [
    index("grants_user_id").on(table.userId),
    uniqueIndex("grants_source_unique").on(table.source, table.sourceId),
  ],
);

/** What cut a grant short: a refund, an upgrade, an administrator. Append-only too. */
export const grantEnds = snakeCase.table(
  "grant_ends",
  {
    id: id(),
    grantId: text()
      .notNull()
      .references(() => grants.id),
    endsAt: moment().notNull(),
    reason: text().notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [index("grant_ends_grant_id").on(table.grantId)],
);

export type GrantSource = "purchase" | "renewal" | "administrator";
