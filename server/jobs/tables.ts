import { index, integer, json, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import { id, instant } from "#server/db/columns.ts";

/** Written in the transaction that needs it, removed when it is done. */
export const jobs = snakeCase.table(
  "jobs",
  {
    id: id(),
    name: text().notNull(),
    data: json().$type<unknown>().notNull(),
    /** When set, a second job of the same name and key is not scheduled while the first is waiting. */
    key: text(),
    runAt: instant().notNull(),
    attempts: integer().notNull().default(0),
    /** While a node works on it. A node that dies leaves it behind; after this instant another one takes it. */
    claimedUntil: instant(),
    lastError: text(),
    /** Set when it failed too often; it stays for the operator to see. */
    failedAt: instant(),
    createdAt: instant().notNull(),
  },
  (table) => [index("jobs_run_at").on(table.runAt), uniqueIndex("jobs_name_key_unique").on(table.name, table.key)],
);
