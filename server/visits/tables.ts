import { check, date, integer, primaryKey, snakeCase, text } from "drizzle-orm/pg-core";
import { isOneOf } from "#server/db/columns.ts";
import { type VisitStep, visitSteps } from "./rules.ts";

/** Visits of a page by day in the academy's time zone, without a person. */
export const visitCounts = snakeCase.table(
  "visit_counts",
  {
    day: date({ mode: "string" }).notNull(),
    step: text().$type<VisitStep>().notNull(),
    visits: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.step] }),
    check("visit_counts_step", isOneOf(table.step, visitSteps)),
  ],
);
