import { isNotNull, isNull, sql } from "drizzle-orm";
import { type AnyPgColumn, boolean, check, index, integer, primaryKey, snakeCase, text } from "drizzle-orm/pg-core";
import { lessons } from "#server/catalogue/tables.ts";
import { id, instant, isOneOf, searchable } from "#server/db/columns.ts";
import { ofUser, users } from "#server/identity/tables.ts";

/** Questions, and the answers to them. The counts are made again under the lock of the question (`recount`). */
export const questionPosts = snakeCase.table(
  "question_posts",
  {
    /** Chosen by the sender, so that sending again creates nothing more. */
    id: id(),
    /** Null: a question. */
    questionId: text().references((): AnyPgColumn => questionPosts.id, { onDelete: "cascade" }),
    /** Of an answer that of its question. */
    lessonId: text()
      .notNull()
      .references(() => lessons.id),
    /** Null: has left. */
    authorId: text().references(() => users.id),
    /** Written for the team, which carries a badge, also after its author has left the team. */
    isOfTeam: boolean().notNull().default(false),
    /** Empty in answers, and once deleted. */
    title: text().notNull().default(""),
    text: text().notNull(),
    /** The second of the lesson that a question is about. */
    at: integer(),
    createdAt: instant().notNull(),
    editedAt: instant(),
    /** Its texts are removed; a question stays for the answers of others. */
    deletedAt: instant(),
    hiddenAt: instant(),
    /** Its author reads it. */
    hiddenBecause: text(),
    helpful: integer().notNull().default(0),
    /** Reports that nobody has dismissed. */
    reports: integer().notNull().default(0),

    // Only of questions.
    /** Takes no more answers; also duplicates. */
    closedAt: instant(),
    duplicateOf: text().references((): AnyPgColumn => questionPosts.id, { onDelete: "set null" }),
    acceptedId: text().references((): AnyPgColumn => questionPosts.id, { onDelete: "set null" }),
    /** How many answers are not hidden. */
    answers: integer().notNull().default(0),
    /** Whether one of them is by somebody else, or accepted. */
    isAnswered: boolean().notNull().default(false),
    /** When somebody else first answered, for the measured time. Stays when that answer goes. */
    firstAnsweredAt: instant(),
    /** Words of the title count more than those of the text. */
    search: searchable().generatedAlwaysAs(
      sql`setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('simple', title), 'A') || setweight(to_tsvector('english', text), 'D')`,
    ),
  },
  (table) => [
    check("question_posts_accepted_question", sql`${table.questionId} is null or ${table.acceptedId} is null`),
    index("question_posts_lesson").on(table.lessonId, table.createdAt, table.id).where(isNull(table.questionId)),
    index("question_posts_answers").on(table.questionId, table.createdAt, table.id).where(isNotNull(table.questionId)),
    index("question_posts_author").on(table.authorId),
    index("question_posts_reports").on(table.id).where(sql`${table.reports} > 0`),
    // For deleting what they refer to.
    index("question_posts_accepted").on(table.acceptedId).where(isNotNull(table.acceptedId)),
    index("question_posts_duplicate_of").on(table.duplicateOf).where(isNotNull(table.duplicateOf)),
    index("question_posts_search").using("gin", table.search),
  ],
);

/** Each person counts once for a question or an answer. */
export const questionMarks = snakeCase.table(
  "question_marks",
  {
    postId: text()
      .notNull()
      .references(() => questionPosts.id, { onDelete: "cascade" }),
    userId: ofUser(),
    kind: text().$type<"helpful" | "report">().notNull(),
    /** Of a report; null: none given. */
    reason: text(),
    /** Of a report that the team has dismissed. */
    dismissedAt: instant(),
    createdAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.postId, table.userId, table.kind] }),
    index("question_marks_user").on(table.userId),
    check("question_marks_kind", isOneOf(table.kind, ["helpful", "report"])),
  ],
);
