import { index, integer, snakeCase, text } from "drizzle-orm/pg-core";
import { instant } from "#server/db/columns.ts";

/** Files of the store that no row names. They leave it late, and by way of the trash. */
export const unnamedFiles = snakeCase.table(
  "unnamed_files",
  {
    /** Its key before it went to the trash. */
    key: text().primaryKey(),
    firstSeenAt: instant().notNull(),
    lastSeenAt: instant().notNull(),
    sweeps: integer().notNull().default(1),
    /** Null while it lies where it was stored. */
    trashedAt: instant(),
  },
  (table) => [index("unnamed_files_trashed_at").on(table.trashedAt)],
);
