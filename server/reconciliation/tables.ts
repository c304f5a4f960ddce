import { boolean, index, integer, snakeCase, text } from "drizzle-orm/pg-core";
import { id, instant } from "#server/db/columns.ts";

/** Stored as they came, before they are answered. An older release gave the table its name. */
export const webhooks = snakeCase.table(
  "gateway_notifications",
  {
    /** The gateway's own id: one that comes twice is one row. */
    id: text().primaryKey(),
    event: text().notNull(),
    transactionId: text(),
    body: text().notNull(),
    /** The same id came with another body, which is neither stored nor believed. */
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
    checked: integer().notNull(),
    error: text(),
  },
  (table) => [index("reconciliation_runs_started_at").on(table.startedAt)],
);
