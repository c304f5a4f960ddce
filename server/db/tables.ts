import { index, integer, json, snakeCase, text } from "drizzle-orm/pg-core";
import { instant } from "#server/db/columns.ts";

/** Facts about this academy as a whole, such as when the demo was seeded. */
export const settings = snakeCase.table("settings", {
  name: text().primaryKey(),
  value: json().$type<unknown>().notNull(),
  updatedAt: instant().notNull(),
});

/** How often something that has a limit was done in the window that is open; `server/db/limits.ts` counts. */
export const limits = snakeCase.table(
  "limits",
  {
    key: text().primaryKey(),
    uses: integer().notNull(),
    endsAt: instant().notNull(),
  },
  (table) => [index("limits_ends_at").on(table.endsAt)],
);
