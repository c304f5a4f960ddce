import { primaryKey, snakeCase, text } from "drizzle-orm/pg-core";
import { lessons } from "#server/catalogue/tables.ts";
import { instant } from "#server/db/columns.ts";
import { ofUser } from "#server/identity/tables.ts";

/** Who wants an email when a lesson opens; deleted after it was sent. */
export const openingRequests = snakeCase.table(
  "opening_requests",
  {
    userId: ofUser(),
    lessonId: text()
      .notNull()
      .references(() => lessons.id),
    createdAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.lessonId] })],
);
