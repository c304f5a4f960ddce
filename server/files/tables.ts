import { index, integer, snakeCase, text } from "drizzle-orm/pg-core";
import { instant } from "#server/db/columns.ts";

/** Files of the store that no row names, until they are deleted by way of the trash. */
export const unnamedFiles = snakeCase.table(
  "unnamed_files",
  {
    /** The key, in the trash the former one. */
    key: text().primaryKey(),
    firstSeenAt: instant().notNull(),
    lastSeenAt: instant().notNull(),
    sweeps: integer().notNull().default(1),
    /** Null while it is not in the trash. */
    trashedAt: instant(),
  },
  (table) => [index("unnamed_files_trashed_at").on(table.trashedAt)],
);
