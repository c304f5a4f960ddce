import { isNull } from "drizzle-orm";
import { index, snakeCase, text } from "drizzle-orm/pg-core";
import type { DiscrepancyKind } from "#contract/admin/reconciliation.ts";
import { cents, id, instant } from "#server/db/columns.ts";

/** Discrepancies, also repaired ones. */
export const discrepancies = snakeCase.table(
  "discrepancies",
  {
    id: id(),
    /** Kind and subject, so that a discrepancy that is found again stays one row. */
    key: text().notNull().unique(),
    kind: text().$type<DiscrepancyKind>().notNull(),
    transactionId: text(),
    attemptId: text(),
    purchaseId: text(),
    userId: text(),
    /** The id of a grant, of its end, or of a refund. */
    subjectId: text(),
    detail: text(),
    expected: cents(),
    found: cents(),
    foundAt: instant().notNull(),
    /** A claim that is minutes old was left by a killed node. */
    claimedAt: instant(),
    resolvedAt: instant(),
    resolution: text(),
    resolvedBy: text(),
  },
  (table) => [
    index("discrepancies_found_at").on(table.foundAt),
    index("discrepancies_open").on(table.userId).where(isNull(table.resolvedAt)),
  ],
);
