import { index, integer, snakeCase, text } from "drizzle-orm/pg-core";
import { instant } from "#server/db/columns.ts";

export const limits = snakeCase.table(
  "limits",
  {
    key: text().primaryKey(),
    uses: integer().notNull(),
    endsAt: instant().notNull(),
  },
  (table) => [index("limits_ends_at").on(table.endsAt)],
);
