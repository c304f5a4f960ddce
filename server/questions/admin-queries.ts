import { and, asc, eq, gt, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Paging } from "#contract/admin/admin.ts";
import type { QueueFilter } from "#contract/admin/questions.ts";
import { lessons } from "#server/catalogue/tables.ts";
import type { Db } from "#server/db/db.ts";
import { selectRows } from "#server/db/paging.ts";
import { isQuestion, type ShownPost, selectPosts } from "./queries.ts";
import { questionMarks, questionPosts } from "./tables.ts";

const { id, questionId, lessonId, isAnswered, hiddenAt, closedAt, deletedAt, createdAt, reports } = questionPosts;

const isInQueue = and(isQuestion, isNull(deletedAt));
/** Like the contract's `unanswered`. */
const isWaiting = sql`(not ${isAnswered} and ${hiddenAt} is null and ${closedAt} is null)`;
const withReports = sql`${id} in (select coalesce(question_id, id) from ${questionPosts} as post where reports > 0)`;
const withHidden = sql`${id} in (select coalesce(question_id, id) from ${questionPosts} as post where hidden_at is not null)`;

/** Waiting ones first, the oldest of them first; then the newest others. In seconds, descending. */
const place = sql<number>`(case when ${isWaiting} then 1e11 - extract(epoch from ${createdAt}) else extract(epoch from ${createdAt}) end)`;

function found({ lessonId: ofLesson, show }: QueueFilter): SQL | undefined {
  const shown = {
    "to-review": or(isWaiting, withReports),
    unanswered: isWaiting,
    answered: eq(isAnswered, true),
    reported: withReports,
    hidden: withHidden,
  };
  return and(isInQueue, show && shown[show], ofLesson ? eq(lessonId, ofLesson) : undefined);
}

export async function listQueueRows(
  db: Db,
  readerId: string,
  { limit, after, ...filter }: QueueFilter & Paging,
): Promise<ShownPost[]> {
  const part = { table: questionPosts, id, key: place, limit, after, where: found(filter) };
  return await selectRows(db, selectPosts(db, readerId), part);
}

export async function findQueueRow(db: Db, readerId: string, question: string): Promise<ShownPost | null> {
  const [row] = await selectPosts(db, readerId).where(and(eq(id, question), isInQueue));
  return row ?? null;
}

/** How many reports of these questions and their answers nobody has dismissed, by question. */
export async function countReports(db: Db, questions: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const question = sql<string>`coalesce(${questionId}, ${id})`;
  const rows = await db
    .select({ question, count: sql<number>`sum(${reports})::int` })
    .from(questionPosts)
    .where(and(gt(reports, 0), inArray(question, [...questions])))
    .groupBy(question);
  return new Map(rows.map((row) => [row.question, row.count]));
}

/** How many questions a filter finds. */
export function countQueue(db: Db, filter: QueueFilter): Promise<number> {
  return db.$count(questionPosts, found(filter));
}

export interface WaitingCount {
  readonly unanswered: number;
  readonly reported: number;
  readonly oldestAt: Date | null;
}

export async function countWaiting(db: Db): Promise<WaitingCount> {
  const [row] = await db
    .select({
      unanswered: sql<number>`count(*) filter (where ${isWaiting})::int`,
      reported: sql<number>`count(*) filter (where ${withReports})::int`,
      oldestAt: sql<Date | null>`min(${createdAt}) filter (where ${isWaiting})`.mapWith(createdAt),
    })
    .from(questionPosts)
    .where(isInQueue);
  return row ?? { unanswered: 0, reported: 0, oldestAt: null };
}

/** Those that wait, the oldest first. @param authorId only of this person */
export function listWaiting(db: Db, limit: number, authorId?: string) {
  return db
    .select({ id, title: questionPosts.title, lessonTitle: lessons.title, createdAt })
    .from(questionPosts)
    .innerJoin(lessons, eq(lessons.id, lessonId))
    .where(and(isInQueue, isWaiting, authorId ? eq(questionPosts.authorId, authorId) : undefined))
    .orderBy(asc(createdAt), asc(id))
    .limit(limit);
}

interface Thread extends Paging {
  readonly readerId: string;
  readonly question: string;
}

/** A page of a question and its answers, also hidden ones, the oldest first. */
export async function listThread(db: Db, { question, readerId, limit, after }: Thread): Promise<ShownPost[]> {
  // The clock of the node that took the question may be ahead.
  const key = sql`(case when ${questionId} is null then '-infinity' else ${createdAt} end)`;
  const where = and(isPartOf(question), isNull(deletedAt));
  const part = { table: questionPosts, id, key, direction: "asc", where, limit, after } as const;
  return await selectRows(db, selectPosts(db, readerId), part);
}

function isPartOf(question: string): SQL {
  return sql`(${id} = ${question} or ${questionId} = ${question})`;
}

/** Of a question and its answers, without who reported. */
export function listReports(db: Db, question: string) {
  const { postId, reason, kind, dismissedAt } = questionMarks;
  return db
    .select({ postId, reason, createdAt: questionMarks.createdAt })
    .from(questionMarks)
    .innerJoin(questionPosts, eq(id, postId))
    .where(and(isPartOf(question), eq(kind, "report"), isNull(dismissedAt)))
    .orderBy(asc(questionMarks.createdAt));
}

/** @param only one of the posts. Returns how many reports were dismissed. */
export async function dismissReportRows(tx: Db, question: string, now: Date, only?: string): Promise<number> {
  const posts = tx
    .select({ id })
    .from(questionPosts)
    .where(and(isPartOf(question), gt(reports, 0), only ? eq(id, only) : undefined));
  const dismissed = await tx
    .update(questionMarks)
    .set({ dismissedAt: now })
    .where(
      and(inArray(questionMarks.postId, posts), eq(questionMarks.kind, "report"), isNull(questionMarks.dismissedAt)),
    )
    .returning({ postId: questionMarks.postId });
  const ids = dismissed.map(({ postId }) => postId);
  if (ids.length > 0) await tx.update(questionPosts).set({ reports: 0 }).where(inArray(id, ids));
  return ids.length;
}

/** Duplicates of a question become duplicates of the one that it duplicates itself. */
export async function moveDuplicates(tx: Db, from: string, to: string): Promise<void> {
  await tx.update(questionPosts).set({ duplicateOf: to }).where(eq(questionPosts.duplicateOf, from));
}

export interface QuestionCount {
  readonly lessonId: string;
  readonly questions: number;
}

/** Of each lesson, without hidden ones. */
export function countQuestionsByLesson(db: Db): Promise<QuestionCount[]> {
  return db
    .select({ lessonId, questions: sql<number>`count(*)::int` })
    .from(questionPosts)
    .where(and(isInQueue, isNull(hiddenAt)))
    .groupBy(lessonId);
}
