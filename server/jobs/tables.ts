import { index, integer, json, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import { id, instant } from "#server/db/columns.ts";

export const jobs = snakeCase.table(
  "jobs",
  {
    id: id(),
    name: text().notNull(),
    data: json().$type<unknown>().notNull(),
    /** A second job of the same name and key is not scheduled while the first waits. */
    key: text(),
    runAt: instant().notNull(),
    attempts: integer().notNull().default(0),
    /** Past it another node claims the job: this one has died. */
    claimedUntil: instant(),
    lastError: text(),
    /** It stays for the operator to see. */
    failedAt: instant(),
    createdAt: instant().notNull(),
    /** The step of a trace that scheduled it, as W3C's traceparent; null: it was not traced. */
    traceparent: text(),
  },
  (table) => [index("jobs_run_at").on(table.runAt), uniqueIndex("jobs_name_key_unique").on(table.name, table.key)],
);
