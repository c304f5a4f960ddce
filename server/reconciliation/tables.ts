import { boolean, index, integer, snakeCase, text } from "drizzle-orm/pg-core";
import { id, instant } from "#server/db/columns.ts";

/** Stored as received, before the reply. */
export const webhooks = snakeCase.table(
  "webhooks",
  {
    /** The gateway's id, so that a repeated webhook is one row. */
    id: text().primaryKey(),
    event: text().notNull(),
    transactionId: text(),
    body: text().notNull(),
    /** Another body was received with the same id. It was neither stored nor used. */
    isConflicting: boolean().notNull().default(false),
    receivedAt: instant().notNull(),
    appliedAt: instant(),
  },
  (table) => [index("webhooks_received_at").on(table.receivedAt)],
);

export const reconciliationRuns = snakeCase.table(
  "reconciliation_runs",
  {
    id: id(),
    startedAt: instant().notNull(),
    finishedAt: instant().notNull(),
    checked: integer().notNull(),
    error: text(),
  },
  (table) => [index("reconciliation_runs_started_at").on(table.startedAt)],
);
