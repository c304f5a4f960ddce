import { json, snakeCase, text } from "drizzle-orm/pg-core";
import { moment } from "#server/db/columns.ts";

/** Facts about this academy as a whole, such as when the demo was seeded. */
export const settings = snakeCase.table("settings", {
  name: text().primaryKey(),
  value: json().$type<unknown>().notNull(),
  updatedAt: moment().notNull(),
});
