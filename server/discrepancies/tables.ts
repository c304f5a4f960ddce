import { index, snakeCase, text } from "drizzle-orm/pg-core";
import type { DiscrepancyKind } from "#contract/admin/reconciliation.ts";
import { cents, id, instant } from "#server/db/columns.ts";

/** A row stays after its repair. The table has the name of an older release. */
export const discrepancies = snakeCase.table(
  "reconciliation_breaks",
  {
    id: id(),
    /** Kind and what it is about: however often a discrepancy is found, it is one row. */
    key: text().notNull().unique(),
    kind: text().$type<DiscrepancyKind>().notNull(),
    transactionId: text(),
    attemptId: text(),
    purchaseId: text(),
    userId: text(),
    /** A grant, an end of one, a refund. */
    subjectId: text(),
    detail: text(),
    expected: cents(),
    found: cents(),
    foundAt: instant().notNull(),
    /** A claim that is minutes old was left by a node that died. */
    claimedAt: instant(),
    resolvedAt: instant(),
    resolution: text(),
    resolvedBy: text(),
  },
  (table) => [index("reconciliation_breaks_found_at").on(table.foundAt)],
);
