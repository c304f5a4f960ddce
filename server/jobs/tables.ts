import { index, integer, json, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import { id, instant } from "#server/db/columns.ts";

export const jobs = snakeCase.table(
  "jobs",
  {
    id: id(),
    name: text().notNull(),
    data: json().$type<unknown>().notNull(),
    /** While a job of this name and key waits, another one is not scheduled. */
    key: text(),
    runAt: instant().notNull(),
    attempts: integer().notNull().default(0),
    /** After this instant another node claims the job, as this one must have died. */
    claimedUntil: instant(),
    lastError: text(),
    /** Set when the job failed for good; the row stays for the operator. */
    failedAt: instant(),
    createdAt: instant().notNull(),
    /** The span that scheduled it, as a W3C traceparent; null: not traced. */
    traceparent: text(),
  },
  (table) => [index("jobs_run_at").on(table.runAt), uniqueIndex("jobs_name_key_unique").on(table.name, table.key)],
);
