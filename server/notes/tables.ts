import { integer, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import { lessons } from "#server/catalogue/tables.ts";
import { id, instant } from "#server/db/columns.ts";
import { ofUser } from "#server/identity/tables.ts";

/** Named as the bookmarks that they were: the previous release would not find a renamed table during a rollout. */
export const notes = snakeCase.table(
  "bookmarks",
  {
    id: id(),
    userId: ofUser(),
    lessonId: text()
      .notNull()
      .references(() => lessons.id),
    /** Seconds into the lesson. */
    at: integer().notNull(),
    text: text("note"),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [uniqueIndex("bookmarks_user_lesson_at_unique").on(table.userId, table.lessonId, table.at)],
);
