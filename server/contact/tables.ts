import { index, snakeCase, text } from "drizzle-orm/pg-core";
import { id, moment } from "#server/db/columns.ts";

export const contacts = snakeCase.table(
  "contacts",
  {
    id: id(),
    name: text().notNull(),
    email: text().notNull(),
    message: text().notNull(),
    /** Hash of the network address it came from: enough to count by. */
    clientHash: text().notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [index("contacts_created_at").on(table.createdAt)],
);
