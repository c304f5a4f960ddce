import { index, integer, json, snakeCase, text } from "drizzle-orm/pg-core";
import { instant } from "#server/db/columns.ts";

/** What a running academy notes for itself and for other nodes: backups, stops, keys, the seed. No page shows it. */
export const operationalMarks = snakeCase.table("operational_marks", {
  name: text().primaryKey(),
  value: json().$type<unknown>().notNull(),
  updatedAt: instant().notNull(),
});

export const limits = snakeCase.table(
  "limits",
  {
    key: text().primaryKey(),
    uses: integer().notNull(),
    endsAt: instant().notNull(),
  },
  (table) => [index("limits_ends_at").on(table.endsAt)],
);

/**
 * What the database has by a migration, and drizzle cannot declare. Each file of tables lists its own, and
 * `catalogue.integration.test.ts` compares the lists with the database.
 * @internal
 */
export const addedByMigrations = [
  "extension btree_gist",
  "extension pg_trgm",
  "extension unaccent",
  "function search_form",
];
