import { boolean, index, integer, snakeCase, text } from "drizzle-orm/pg-core";
import { id, instant } from "#server/db/columns.ts";

/** Stored as they came, before they are answered. The table keeps its first name, which the previous release reads. */
export const webhooks = snakeCase.table(
  "gateway_notifications",
  {
    /** The gateway's own id: however often it sends one, it is one row. */
    id: text().primaryKey(),
    event: text().notNull(),
    transactionId: text(),
    body: text().notNull(),
    /** The same id came with another body, which is stored nowhere and believed never. */
    isConflicting: boolean().notNull().default(false),
    receivedAt: instant().notNull(),
    appliedAt: instant(),
  },
  (table) => [index("gateway_notifications_received_at").on(table.receivedAt)],
);

export const reconciliationRuns = snakeCase.table(
  "reconciliation_runs",
  {
    id: id(),
    startedAt: instant().notNull(),
    finishedAt: instant().notNull(),
    /** Transactions of the gateway that were held against our attempts. */
    checked: integer().notNull(),
    error: text(),
  },
  (table) => [index("reconciliation_runs_started_at").on(table.startedAt)],
);
