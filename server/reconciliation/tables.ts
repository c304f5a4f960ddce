import { boolean, index, integer, snakeCase, text } from "drizzle-orm/pg-core";
import type { BreakKind } from "#contract/admin/reconciliation.ts";
import { cents, id, moment } from "#server/db/columns.ts";

/** What the gateway told us, as it came: stored before it is answered, applied by a job, kept for a quarter of a year. */
export const gatewayNotifications = snakeCase.table(
  "gateway_notifications",
  {
    /** The gateway's own id: however often it sends one, it is one row. */
    id: text().primaryKey(),
    event: text().notNull(),
    transactionId: text(),
    body: text().notNull(),
    /** The same id came with another body, which is stored nowhere and believed never. */
    isConflicting: boolean().notNull().default(false),
    receivedAt: moment().notNull(),
    appliedAt: moment(),
  },
  (table) => [index("gateway_notifications_received_at").on(table.receivedAt)],
);

export const reconciliationRuns = snakeCase.table(
  "reconciliation_runs",
  {
    id: id(),
    startedAt: moment().notNull(),
    finishedAt: moment().notNull(),
    /** Transactions of the gateway that were held against our attempts. */
    checked: integer().notNull(),
    error: text(),
  },
  (table) => [index("reconciliation_runs_started_at").on(table.startedAt)],
);

export const reconciliationBreaks = snakeCase.table(
  "reconciliation_breaks",
  {
    id: id(),
    /** Kind and what it is about: however often a break is found, it is one row. */
    key: text().notNull().unique(),
    kind: text().$type<BreakKind>().notNull(),
    transactionId: text(),
    attemptId: text(),
    purchaseId: text(),
    expected: cents(),
    found: cents(),
    foundAt: moment().notNull(),
    /** While somebody mends it; a claim that is older than a few minutes was left by a node that died. */
    claimedAt: moment(),
    resolvedAt: moment(),
    resolution: text(),
    resolvedBy: text(),
  },
  (table) => [index("reconciliation_breaks_found_at").on(table.foundAt)],
);
