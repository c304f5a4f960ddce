import { index, integer, snakeCase, text } from "drizzle-orm/pg-core";
import { instant } from "#server/db/columns.ts";

/** Files of the store that no row names. They leave it late, and by way of the trash. */
export const unnamedFiles = snakeCase.table(
  "unnamed_files",
  {
    /** Where it was stored first, also when it lies in the trash. */
    key: text().primaryKey(),
    firstSeenAt: instant().notNull(),
    lastSeenAt: instant().notNull(),
    /** How many sweeps of a whole store found it without a row. */
    sweeps: integer().notNull().default(1),
    /** Since when it lies in the trash; null while it lies where it was stored. */
    trashedAt: instant(),
  },
  (table) => [index("unnamed_files_trashed_at").on(table.trashedAt)],
);
