import { index, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Tier } from "#contract/tiers.ts";
import { id, instant } from "#server/db/columns.ts";
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
    /** The fact behind it: a charge, a period of grace, an administrator's act. Unique with `source`: recorded once. */
    sourceId: text().notNull(),
    /** The purchase that it belongs to, whose end ends it; null for an administrator's gift. */
    purchaseId: text(),
    startsAt: instant().notNull(),
    /** Null: it never ends by itself. */
    endsAt: instant(),
    reason: text(),
    createdAt: instant().notNull(),
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
    endsAt: instant().notNull(),
    reason: text().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [index("grant_ends_grant_id").on(table.grantId)],
);

/** `grace` keeps the course open while a renewal is tried. */
export type GrantSource = "purchase" | "renewal" | "grace" | "administrator";
