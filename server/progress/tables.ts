import { sql } from "drizzle-orm";
import { boolean, customType, index, numeric, primaryKey, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { CompletedBy } from "#contract/progress.ts";
import { lessons, modules } from "#server/catalogue/tables.ts";
import { id, instant } from "#server/db/columns.ts";
import { ofUser } from "#server/identity/tables.ts";

/** Stretches of a lesson in hundredths of a second, as PostgreSQL writes them: `{[0,1250),[3000,4100)}`. */
const stretches = customType<{ data: string }>({ dataType: () => "int4multirange" });

export const courseProgress = snakeCase.table(
  "course_progress",
  {
    id: id(),
    userId: ofUser(),
    lessonId: text()
      .notNull()
      .references(() => lessons.id),
    moduleId: text()
      .notNull()
      .references(() => modules.id),
    isCompleted: boolean().notNull().default(false),
    /** Accepted watching of the current video; it only grows. */
    watched: stretches().notNull().default(sql`'{}'`),
    /** Seconds: the length of `watched`. */
    watchTime: numeric({ precision: 10, scale: 2, mode: "number" }).notNull().default(0),
    /** Seconds watched of videos that the lesson had before. A trigger moves them here. */
    earlierWatchTime: numeric({ precision: 10, scale: 2, mode: "number" }).notNull().default(0),
    /** The next note may claim at most the time since then. */
    creditSince: instant().notNull(),
    /** Seconds into the lesson, where playing resumes. */
    position: numeric({ precision: 10, scale: 2, mode: "number" }).notNull().default(0),
    /** The time of the note with the position. */
    positionAt: instant(),
    completedAt: instant(),
    /** Null while it is not completed, but for `coverage`, which stays. `reading`: the button of a text lesson. */
    completedBy: text().$type<CompletedBy>(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    /** The student has seen the lesson's changes up to then; null: those from before the record. */
    changesSeenAt: instant(),
  },
  (table) => [
    uniqueIndex("course_progress_user_lesson_unique").on(table.userId, table.lessonId),
    // For figures about who stopped at a lesson. Notes of watching do not change it before the lesson is completed.
    index("course_progress_unfinished").on(table.lessonId, table.userId).where(sql`not ${table.isCompleted}`),
  ],
);

/** Completed in another program, as an import said. Shown to the student and the team. Certificates, coverage and reports do not read it. */
export const lessonsCompletedElsewhere = snakeCase.table(
  "lessons_completed_elsewhere",
  {
    userId: ofUser(),
    lessonId: text()
      .notNull()
      .references(() => lessons.id),
    createdAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.lessonId] })],
);

/** Without a row the next lesson plays by itself. */
export const playerChoices = snakeCase.table("player_choices", {
  userId: ofUser().primaryKey(),
  playsNext: boolean().notNull(),
  updatedAt: instant().notNull(),
});

/**
 * Merge what players report into a record; empty the coverage of a lesson whose video is replaced; have webhooks told
 * of a completed lesson. @internal
 */
export const addedByMigrations = [
  "function merge_progress",
  "function merge_progress_of_video",
  "function empty_coverage",
  "trigger lessons.empty_coverage",
  "function announce_completion",
  "trigger course_progress.announce_completion",
];
