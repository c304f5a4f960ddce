import { boolean, numeric, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import { lessons, modules } from "#server/catalogue/tables.ts";
import { id, moment } from "#server/db/columns.ts";
import { users } from "#server/identity/tables.ts";

export const courseProgress = snakeCase.table(
  "course_progress",
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id),
    lessonId: text()
      .notNull()
      .references(() => lessons.id),
    moduleId: text()
      .notNull()
      .references(() => modules.id),
    isCompleted: boolean().notNull().default(false),
    /** Seconds. */
    watchTime: numeric({ precision: 10, scale: 2, mode: "number" }).notNull().default(0),
    /** Seconds into the lesson, where playing resumes. */
    position: numeric({ precision: 10, scale: 2, mode: "number" }).notNull().default(0),
    completedAt: moment(),
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
  },
  (table) => [uniqueIndex("course_progress_user_lesson_unique").on(table.userId, table.lessonId)],
);
