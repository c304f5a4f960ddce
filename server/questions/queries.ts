import {
  and,
  asc,
  count,
  desc,
  eq,
  getColumns,
  gte,
  inArray,
  isNotNull,
  isNull,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Paging } from "#contract/admin/admin.ts";
import type { QuestionSort } from "#contract/questions.ts";
import { type Tier, tierOpens, tiers } from "#contract/tiers.ts";
import { after, DAY } from "#server/base/clock.ts";
import { isOpenAt, isWatchable, lessons, modules } from "#server/catalogue/tables.ts";
import { anyOfWords } from "#server/db/columns.ts";
import type { Db } from "#server/db/db.ts";
import { requireRowBefore } from "#server/db/paging.ts";
import { users } from "#server/identity/tables.ts";
import { questionMarks, questionPosts } from "./tables.ts";

const { search: _, ...columns } = getColumns(questionPosts);
export type PostRow = Omit<typeof questionPosts.$inferSelect, "search">;

export const isQuestion = isNull(questionPosts.questionId);
const isUnanswered = sql`(not ${questionPosts.isAnswered} and ${questionPosts.closedAt} is null)`;
const original = alias(questionPosts, "original");

/** Posts as a reader sees them, with what lists and threads show beside them. */
export function selectPosts(db: Db, readerId: string) {
  const found = sql<boolean>`exists (select 1 from ${questionMarks} where post_id = ${questionPosts.id}
    and user_id = ${readerId} and kind = 'helpful')`;
  return db
    .select({
      post: columns,
      author: { firstName: users.firstName, lastName: users.lastName },
      lessonTitle: lessons.title,
      originalTitle: original.title,
      foundHelpful: found,
    })
    .from(questionPosts)
    .innerJoin(lessons, eq(lessons.id, questionPosts.lessonId))
    .innerJoin(modules, eq(modules.id, lessons.moduleId))
    .leftJoin(users, eq(users.id, questionPosts.authorId))
    .leftJoin(
      original,
      and(eq(original.id, questionPosts.duplicateOf), isNull(original.hiddenAt), isNull(original.deletedAt)),
    )
    .$dynamic();
}
export type ShownPost = Awaited<ReturnType<typeof selectPosts>>[number];

/** Hidden posts are shown to their author alone. */
const isShownTo = (readerId: string) => or(isNull(questionPosts.hiddenAt), eq(questionPosts.authorId, readerId));

export const isOfLesson = (lessonId: string) => eq(questionPosts.lessonId, lessonId);

/** Whether who has this tier may watch its lesson. */
export function isInOpenLesson(tier: Tier | null, now: Date) {
  const open = tiers.filter((required) => tierOpens(tier, required));
  return and(isWatchable, isOpenAt(now), or(eq(lessons.freePreview, true), inArray(modules.requiredTier, open)));
}

const keysOf = {
  top: [questionPosts.helpful, questionPosts.createdAt, questionPosts.id],
  new: [questionPosts.createdAt, questionPosts.id],
  unanswered: [isUnanswered, questionPosts.createdAt, questionPosts.id],
};

interface Listed extends Paging {
  readonly readerId: string;
  readonly sort: QuestionSort;
  /** Which lessons; may use the tables of lessons and modules. */
  readonly where: SQL | undefined;
}

/** A page of questions. @throws Refusal not-found when the row before the page is gone */
export function listQuestionRows(db: Db, { sort, where, ...page }: Listed): Promise<ShownPost[]> {
  return listPage(db, and(isQuestion, where), { ...page, keys: keysOf[sort], direction: "desc" });
}

interface PageOf extends Paging {
  readonly readerId: string;
  readonly keys: readonly SQLWrapper[];
  readonly direction: "asc" | "desc";
}

async function listPage(db: Db, where: SQL | undefined, page: PageOf): Promise<ShownPost[]> {
  const { readerId, keys, direction, limit, after } = page;
  const { id } = questionPosts;
  const columns = sql.join([...keys], sql`, `);
  const beyond = sql.raw(direction === "asc" ? ">" : "<");
  const last = sql`(select ${columns} from ${questionPosts} where ${id} = ${after})`;
  const by = direction === "asc" ? asc : desc;
  // Ids alone first: what is shown beside a post would be read for all of them.
  const found = await db
    .select({ id })
    .from(questionPosts)
    .innerJoin(lessons, eq(lessons.id, questionPosts.lessonId))
    .innerJoin(modules, eq(modules.id, lessons.moduleId))
    .where(and(where, isShownTo(readerId), after ? sql`(${columns}) ${beyond} ${last}` : undefined))
    .orderBy(...keys.map((one) => by(one)))
    .limit(limit);
  if (found.length === 0) {
    if (after) await requireRowBefore(db, questionPosts, eq(id, after));
    return [];
  }
  const ids = found.map((row) => row.id);
  const rows = await selectPosts(db, readerId).where(inArray(id, ids));
  return rows.toSorted((a, b) => ids.indexOf(a.post.id) - ids.indexOf(b.post.id));
}

/** For those who may not watch the lesson. */
export async function listTitles(db: Db, lessonId: string, limit: number): Promise<string[]> {
  const { title, helpful, createdAt, hiddenAt, deletedAt } = questionPosts;
  const rows = await db
    .select({ title })
    .from(questionPosts)
    .where(and(eq(questionPosts.lessonId, lessonId), isQuestion, isNull(hiddenAt), isNull(deletedAt)))
    .orderBy(desc(helpful), desc(createdAt))
    .limit(limit);
  return rows.map((row) => row.title);
}

interface Thread extends Paging {
  readonly readerId: string;
  readonly question: Pick<PostRow, "id" | "acceptedId">;
}

/** The accepted one, then the most helpful, then the oldest. @throws as `listQuestionRows` */
export function listAnswerRows(db: Db, { question, ...page }: Thread): Promise<ShownPost[]> {
  const { id, questionId, helpful, createdAt } = questionPosts;
  const keys = [sql`(${id} <> ${question.acceptedId ?? ""})`, sql`(-${helpful})`, createdAt, id];
  return listPage(db, eq(questionId, question.id), { ...page, keys, direction: "asc" });
}

export async function findShown(db: Db, readerId: string, id: string): Promise<ShownPost | null> {
  const [row] = await selectPosts(db, readerId).where(and(eq(questionPosts.id, id), isShownTo(readerId)));
  return row ?? null;
}

/** Questions that share words with a title, the most similar first. @param words not empty */
export function listSimilar(db: Db, lessonId: string, words: readonly string[], limit: number) {
  const { id, title, isAnswered, search, deletedAt, hiddenAt, duplicateOf } = questionPosts;
  const any = anyOfWords(words);
  return db
    .select({ id, title, isAnswered })
    .from(questionPosts)
    .where(
      and(
        ...[eq(questionPosts.lessonId, lessonId), isQuestion, sql`${search} @@ ${any}`],
        ...[isNull(hiddenAt), isNull(deletedAt), isNull(duplicateOf)],
      ),
    )
    .orderBy(desc(sql`ts_rank(${search}, ${any})`), desc(isAnswered), asc(id))
    .limit(limit);
}

/** Answered questions that hold all words, or words that begin with them. @param words not empty */
export function searchAnswered(db: Db, words: readonly string[], where: SQL | undefined, limit: number) {
  const { id, title, answers, isAnswered, search, deletedAt, hiddenAt, helpful } = questionPosts;
  const beginning = (word: string) =>
    sql`(to_tsquery('simple', ${`${word}:*`}) || to_tsquery('english', ${`${word}:*`}))`;
  const all = sql`(${sql.join(words.map(beginning), sql` && `)})`;
  return db
    .select({ id, title, lessonTitle: lessons.title, answers })
    .from(questionPosts)
    .innerJoin(lessons, eq(lessons.id, questionPosts.lessonId))
    .innerJoin(modules, eq(modules.id, lessons.moduleId))
    .where(
      and(
        ...[isQuestion, eq(isAnswered, true), sql`${search} @@ ${all}`],
        ...[isNull(hiddenAt), isNull(deletedAt), where],
      ),
    )
    .orderBy(desc(sql`ts_rank(${search}, ${all})`), desc(helpful), asc(id))
    .limit(limit);
}

/** Null when there is one of that id. */
export async function insertPost(tx: Db, values: typeof questionPosts.$inferInsert): Promise<PostRow | null> {
  const [row] = await tx.insert(questionPosts).values(values).onConflictDoNothing().returning(columns);
  return row ?? null;
}

export async function findPost(db: Db, id: string): Promise<PostRow | null> {
  const [row] = await db.select(columns).from(questionPosts).where(eq(questionPosts.id, id));
  return row ?? null;
}

/** Locks a question and with it its counts: whoever writes to it or to its answers does this first. */
export async function lockQuestion(tx: Db, id: string): Promise<PostRow | null> {
  const [row] = await tx
    .select(columns)
    .from(questionPosts)
    .where(and(eq(questionPosts.id, id), isQuestion))
    .for("update");
  return row ?? null;
}

/** Makes the counts of a question again. Call it under its lock, after its answers have changed. */
export async function recount(tx: Db, question: Pick<PostRow, "id" | "authorId">): Promise<void> {
  // Answers of the team stay without an author, also of the question's.
  const isOthers = sql`(author_id is null or author_id is distinct from ${question.authorId})`;
  await tx.execute(sql`
    update ${questionPosts} as question set
      answers = found.answers,
      is_answered = found.others > 0 or question.accepted_id is not null,
      first_answered_at = coalesce(question.first_answered_at, found.first_at)
    from (
      select count(*)::int as answers, count(*) filter (where ${isOthers}) as others,
        min(created_at) filter (where ${isOthers}) as first_at
      from ${questionPosts} where question_id = ${question.id} and hidden_at is null
    ) as found
    where question.id = ${question.id}`);
}

/** Whether somebody else has answered, also hidden answers. */
export async function hasOthersAnswers(tx: Db, { id, authorId }: Pick<PostRow, "id" | "authorId">): Promise<boolean> {
  const isOthers = sql`${questionPosts.authorId} is distinct from ${authorId}`;
  return (await tx.$count(questionPosts, and(eq(questionPosts.questionId, id), isOthers))) > 0;
}

type Mark = Pick<typeof questionMarks.$inferSelect, "postId" | "userId" | "kind">;

/** Adds a mark and counts it, once. */
export async function addMark(tx: Db, mark: Mark & { readonly reason?: string | undefined }, now: Date): Promise<void> {
  const added = await tx
    .insert(questionMarks)
    .values({ ...mark, createdAt: now })
    .onConflictDoNothing()
    .returning({ postId: questionMarks.postId });
  if (added.length > 0) await countMark(tx, mark, 1);
}

export async function removeMark(tx: Db, mark: Mark): Promise<void> {
  const { postId, userId, kind } = questionMarks;
  const removed = await tx
    .delete(questionMarks)
    .where(and(eq(postId, mark.postId), eq(userId, mark.userId), eq(kind, mark.kind)))
    .returning({ postId });
  if (removed.length > 0) await countMark(tx, mark, -1);
}

function countMark(tx: Db, { postId, kind }: Mark, by: 1 | -1) {
  const { helpful, reports, id } = questionPosts;
  const set = kind === "helpful" ? { helpful: sql`${helpful} + ${by}` } : { reports: sql`${reports} + ${by}` };
  return tx.update(questionPosts).set(set).where(eq(id, postId));
}

export async function changeTexts(
  tx: Db,
  id: string,
  texts: Pick<PostRow, "title" | "text" | "editedAt">,
): Promise<void> {
  await tx.update(questionPosts).set(texts).where(eq(questionPosts.id, id));
}

/** Removes the words of a question whose answers stay. */
export async function emptyQuestion(tx: Db, id: string, now: Date): Promise<void> {
  const set = { title: "", text: "", at: null, deletedAt: now };
  await tx.update(questionPosts).set(set).where(eq(questionPosts.id, id));
}

/** A question goes with its answers. */
export async function deletePost(tx: Db, id: string): Promise<void> {
  await tx.delete(questionPosts).where(eq(questionPosts.id, id));
}

export async function setAccepted(tx: Db, id: string, acceptedId: string | null): Promise<void> {
  await tx.update(questionPosts).set({ acceptedId }).where(eq(questionPosts.id, id));
}

const answerTimeDays = 30;
const minAnsweredQuestions = 5;

/** Seconds from a question to the first answer of somebody else. Null while too few tell. */
export async function measureAnswerTime(db: Db, now: Date): Promise<number | null> {
  const { createdAt, firstAnsweredAt } = questionPosts;
  const [row] = await db
    .select({
      answered: count(firstAnsweredAt),
      median: sql<number>`round(percentile_cont(0.5) within group
        (order by extract(epoch from ${firstAnsweredAt} - ${createdAt})))::int`,
    })
    .from(questionPosts)
    .where(and(isQuestion, gte(createdAt, after(now, -answerTimeDays * DAY)), isNotNull(firstAnsweredAt)));
  return row && row.answered >= minAnsweredQuestions ? row.median : null;
}

/** Null when the answer or its question is hidden or gone. @param where which lessons, as in `listQuestionRows` */
export async function findAnswerToMail(db: Db, answerId: string, where: SQL | undefined) {
  const question = alias(questionPosts, "question");
  const isShown = and(isNull(questionPosts.hiddenAt), isNull(question.hiddenAt), isNull(question.deletedAt));
  const [row] = await db
    .select({
      title: question.title,
      answer: columns,
      author: { firstName: users.firstName, lastName: users.lastName },
    })
    .from(questionPosts)
    .innerJoin(question, eq(question.id, questionPosts.questionId))
    .innerJoin(lessons, eq(lessons.id, questionPosts.lessonId))
    .innerJoin(modules, eq(modules.id, lessons.moduleId))
    .leftJoin(users, eq(users.id, questionPosts.authorId))
    .where(and(eq(questionPosts.id, answerId), isShown, where));
  return row ?? null;
}
