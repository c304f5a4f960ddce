import { index, snakeCase, text } from "drizzle-orm/pg-core";
import type { DiscrepancyKind } from "#contract/admin/reconciliation.ts";
import { cents, id, instant } from "#server/db/columns.ts";

/**
 * Where the books differ, from the gateway's or from each other. A row stays after its repair and says how it went. The
 * database calls them reconciliation_breaks, as the release before does.
 */
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
    /** The row that is wrong where it is none of the above: a grant, an end of one, a refund. */
    subjectId: text(),
    /** What the sentence about it needs to say besides. */
    detail: text(),
    expected: cents(),
    found: cents(),
    foundAt: instant().notNull(),
    /** While somebody repairs it; a claim that is older than a few minutes was left by a node that died. */
    claimedAt: instant(),
    resolvedAt: instant(),
    resolution: text(),
    resolvedBy: text(),
  },
  (table) => [index("reconciliation_breaks_found_at").on(table.foundAt)],
);
