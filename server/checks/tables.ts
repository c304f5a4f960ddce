import { boolean, foreignKey, index, primaryKey, snakeCase, text } from "drizzle-orm/pg-core";
import { checkQuestions, lessons } from "#server/catalogue/tables.ts";
import { instant } from "#server/db/columns.ts";
import { ofUser } from "#server/identity/tables.ts";

/** The latest answer to a version of a question; once right, it stays. */
export const checkAnswers = snakeCase.table(
  "check_answers",
  {
    userId: ofUser(),
    lessonId: text().notNull(),
    questionId: text().notNull(),
    version: text().notNull(),
    /** Ids of options, or one number or text. Null: shown before one was given. */
    given: text().array(),
    isRight: boolean().notNull(),
    wasShown: boolean().notNull(),
    /** For figures. Null as `given`. */
    firstGiven: text().array(),
    isFirstRight: boolean().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.lessonId, table.questionId, table.version] }),
    foreignKey({
      name: "check_answers_question_fk",
      columns: [table.lessonId, table.questionId, table.version],
      foreignColumns: [checkQuestions.lessonId, checkQuestions.questionId, checkQuestions.version],
    }),
    // For figures.
    index("check_answers_question").on(table.lessonId, table.questionId, table.version, table.isFirstRight),
  ],
);

/** Checks that were passed, which later versions do not take away. */
export const checkPasses = snakeCase.table(
  "check_passes",
  {
    userId: ofUser(),
    lessonId: text()
      .notNull()
      .references(() => lessons.id),
    /** The check's version when it was passed. */
    version: text().notNull(),
    /** Whether no answer was shown, as a certificate requires. */
    isUnaided: boolean().notNull(),
    passedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.lessonId] })],
);
