import type { Paging } from "#contract/admin/admin.ts";
import {
  maxAnswersADay,
  maxQuestionsADay,
  type QuestionHit,
  type QuestionRow,
  type QuestionSort,
  type QuestionThread,
} from "#contract/questions.ts";
import { requireUnblocked, tierInUse } from "#server/access/access.ts";
import { DAY } from "#server/base/clock.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import { requireVersion } from "#server/base/version.ts";
import { longWordsOf, searchCues, wordsOf } from "#server/catalogue/search.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { countUse } from "#server/db/rate-limits.ts";
import { recordEvent } from "#server/deliveries/events.ts";
import { isOfTeam, lockLiveUser, type User } from "#server/identity/users.ts";
import { watchableLesson } from "#server/lessons/lessons.ts";
import { postEmail } from "#server/mail/student-emails.ts";
import { questionAnsweredEmail } from "./emails.ts";
import { postVersionOf, presentAnswer, presentQuestion, presentRow } from "./present.ts";
import * as find from "./queries.ts";

interface ListQuery extends Paging {
  readonly sort: QuestionSort;
}

const shownTitles = 20;
const firstPage = { limit: 50 };

/** @throws Refusal not-found */
export async function listOfLesson(ctx: Context, student: User, lessonId: string, query: ListQuery) {
  if (!(await mayWatch(ctx, student, lessonId))) {
    return { questions: [], lockedTitles: await find.listTitles(ctx.db, lessonId, shownTitles) };
  }
  const where = find.isOfLesson(lessonId);
  const rows = await find.listQuestionRows(ctx.db, { ...query, readerId: student.id, where });
  return { questions: rows.map((row) => presentRow(row, student)), lockedTitles: null };
}

/** The questions of all lessons that the student may watch. */
export async function listAll(ctx: Context, student: User, query: ListQuery): Promise<QuestionRow[]> {
  const where = await isWatchableFor(ctx, student);
  const rows = await find.listQuestionRows(ctx.db, { ...query, readerId: student.id, where });
  return rows.map((row) => presentRow(row, student));
}

async function isWatchableFor(ctx: Context, student: User) {
  return find.isInOpenLesson(await tierInUse(ctx, student), ctx.clock.now());
}

const maxHits = 10;

/** Answered questions of lessons that the student may watch. */
export async function searchAnswered(ctx: Context, student: User, typed: string): Promise<QuestionHit[]> {
  const words = wordsOf(typed);
  if (words.length === 0) return [];
  return find.searchAnswered(ctx.db, words, await isWatchableFor(ctx, student), maxHits);
}

const maxSimilar = 5;
const maxSaid = 3;

/** @throws Refusal as `watchableLesson` */
export async function similarTo(ctx: Context, student: User, lessonId: string, title: string) {
  await watchableLesson(ctx, student, lessonId);
  const words = longWordsOf(title);
  const [questions, cues] = await Promise.all([
    words.length > 0 ? find.listSimilar(ctx.db, lessonId, words, maxSimilar) : [],
    searchCues(ctx.db, lessonId, title, maxSaid),
  ]);
  return { questions, said: cues.map(({ startsAt, text }) => ({ at: Math.floor(startsAt / 1000), text })) };
}

/** @throws Refusal not-found, also for a hidden one of somebody else; as `watchableLesson` */
export async function threadOf(ctx: Context, student: User, id: string, page: Paging = firstPage) {
  const question = await find.findShown(ctx.db, student.id, id);
  if (!question || question.post.questionId !== null) throw notFound("question");
  await watchableLesson(ctx, student, question.post.lessonId);
  const [answers, isTeam] = await Promise.all([
    find.listAnswerRows(ctx.db, { ...page, readerId: student.id, question: question.post }),
    isOfTeam(ctx, student),
  ]);
  return {
    question: { ...presentQuestion(question, student), canAccept: isTeam || question.post.authorId === student.id },
    answerRows: answers.map((row) => presentAnswer(row, question.post, student)),
  };
}

const questions = {
  max: maxQuestionsADay,
  window: DAY,
  message: `You can ask ${maxQuestionsADay} questions a day. Please come back tomorrow.`,
};
const answers = {
  max: maxAnswersADay,
  window: DAY,
  message: `You can write ${maxAnswersADay} answers a day. Please come back tomorrow.`,
};

interface Asked {
  readonly id?: string | undefined;
  readonly title: string;
  readonly text: string;
  readonly at: number | null;
}

/** @throws Refusal as `watchableLesson`; account-blocked; too-many-requests; conflict for the id of another post */
export async function ask(ctx: Context, student: User, lessonId: string, asked: Asked): Promise<QuestionThread> {
  const lesson = await writableLesson(ctx, student, lessonId);
  const at = asked.at !== null && lesson.kind === "video" ? Math.min(asked.at, lesson.durationSeconds) : null;
  const id = await create(ctx, student, { ...asked, at, lessonId, questionId: null });
  return threadOf(ctx, student, id);
}

/** @throws Refusal as `ask`; conflict also when it is closed */
export async function answer(
  ctx: Context,
  student: User,
  questionId: string,
  written: { readonly id?: string | undefined; readonly text: string },
): Promise<QuestionThread> {
  const { lessonId } = await openQuestion(ctx, student, questionId);
  await create(ctx, student, { ...written, questionId, lessonId });
  return threadOf(ctx, student, questionId);
}

type NewPost = Omit<Parameters<typeof find.insertPost>[1], "authorId" | "isOfTeam" | "createdAt"> & {
  readonly questionId: string | null;
};

/** Creates a post once, however often it is sent. @returns its id */
async function create(ctx: Context, student: User, { questionId, ...values }: NewPost): Promise<string> {
  const now = ctx.clock.now();
  const isTeam = await isOfTeam(ctx, student);
  return ctx.db.transaction(async (tx) => {
    await lockLiveUser(tx, student.id);
    const question = questionId === null ? null : await lockOpen(tx, student, questionId);
    const more = { questionId, authorId: student.id, isOfTeam: isTeam, createdAt: now };
    const created = await find.insertPost(tx, { ...values, ...more });
    if (!created) return findSame(tx, student, { questionId, ...values });
    if (question?.closedAt) throw new Refusal("conflict", "This question is closed. You can’t add answers.");
    if (question) await find.recount(tx, question);
    if (question) await mailAnswer(tx, question, created, now);
    const { id, lessonId } = created;
    if (!question) await recordEvent(tx, "question.asked", { id, userId: student.id, lessonId }, now);
    // The team works through a queue.
    if (question && isTeam) return created.id;
    // Last, so that what is refused or sent again does not count.
    await countUse(tx, `${question ? "answer" : "question"} ${student.id}`, question ? answers : questions, now);
    return created.id;
  });
}

/** Once for each answer, to who asked. */
async function mailAnswer(tx: Db, question: find.PostRow, answer: find.PostRow, now: Date): Promise<void> {
  const { id: questionId, authorId: userId } = question;
  if (userId === null || userId === answer.authorId) return;
  const facts = { answerId: answer.id, questionId, userId };
  await postEmail(tx, questionAnsweredEmail, { userId, occasion: answer.id, facts }, now);
}

async function findSame(tx: Db, student: User, { id = "", questionId, lessonId }: NewPost): Promise<string> {
  const known = await find.findPost(tx, id);
  const isSame = known?.authorId === student.id && known.questionId === questionId && known.lessonId === lessonId;
  if (!isSame) throw new Refusal("conflict", "This has already been saved. Reload the page and try again.");
  return id;
}

interface Texts {
  readonly title?: string;
  readonly text: string;
  readonly version?: string | undefined;
}

const changedElsewhere = "You’ve changed this in another tab or on another device.";

/** Repeatable. @throws Refusal not-found, also for that of somebody else; conflict as `requireVersion`; as `ask` */
export async function edit(
  ctx: Context,
  student: User,
  post: PostKey,
  { title = "", text, version }: Texts,
): Promise<QuestionThread> {
  const { id, questionId } = await openPost(ctx, student, post);
  await ctx.db.transaction(async (tx) => {
    await find.lockQuestion(tx, questionId ?? id);
    const stored = await find.findPost(tx, id);
    if (!stored || isDone(stored) || stored.authorId !== student.id) throw notFound(post.kind);
    if (stored.title === title && stored.text === text) return;
    requireVersion(version, postVersionOf(stored), changedElsewhere);
    await find.changeTexts(tx, id, { title, text, editedAt: ctx.clock.now() });
  });
  return threadOf(ctx, student, questionId ?? id);
}

/** Also when the student may not watch the lesson any more. @throws Refusal not-found for that of somebody else */
export async function remove(ctx: Context, student: User, { id, kind }: PostKey): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const found = await find.findPost(tx, id);
    if (!found || isDone(found)) return;
    if (found.authorId !== student.id || kindOf(found) !== kind) throw notFound(kind);
    const question = await find.lockQuestion(tx, found.questionId ?? id);
    if (!question) return;
    if (kind === "question" && (await find.hasOthersAnswers(tx, question))) {
      await find.emptyQuestion(tx, id, ctx.clock.now());
      return;
    }
    await find.deletePost(tx, id);
    if (kind === "answer") await find.recount(tx, question);
  });
}

/** @throws Refusal not-found; not-allowed for who neither asked nor is of the team; as `ask` */
export async function accept(
  ctx: Context,
  student: User,
  questionId: string,
  answerId: string | null,
): Promise<QuestionThread> {
  const { authorId } = await openQuestion(ctx, student, questionId);
  if (authorId !== student.id && !(await isOfTeam(ctx, student))) {
    throw new Refusal("not-allowed", "Only the person who asked and the team can accept an answer.");
  }
  await ctx.db.transaction(async (tx) => {
    const question = await lockOpen(tx, student, questionId);
    const accepted = answerId === null ? null : await find.findPost(tx, answerId);
    if (answerId !== null && (accepted?.questionId !== questionId || accepted.hiddenAt)) throw notFound("answer");
    await find.setAccepted(tx, questionId, answerId);
    await find.recount(tx, question);
  });
  return threadOf(ctx, student, questionId);
}

/** @throws Refusal not-found; conflict for one's own; as `ask` */
export async function markHelpful(ctx: Context, student: User, post: PostKey, isHelpful: boolean) {
  const { id, questionId, authorId } = await openPost(ctx, student, post);
  if (authorId === student.id) throw new Refusal("conflict", "You can’t mark your own words as helpful.");
  const mark = { postId: id, userId: student.id, kind: "helpful" } as const;
  return ctx.db.transaction(async (tx) => {
    await lockLiveUser(tx, student.id);
    await find.lockQuestion(tx, questionId ?? id);
    if (isHelpful) await find.addMark(tx, mark, ctx.clock.now());
    else await find.removeMark(tx, mark);
    return { helpful: (await find.findPost(tx, id))?.helpful ?? 0, foundHelpful: isHelpful };
  });
}

/** @throws Refusal as `markHelpful` */
export async function report(ctx: Context, student: User, post: PostKey, reason: string | undefined): Promise<void> {
  const { id, questionId, authorId } = await openPost(ctx, student, post);
  if (authorId === student.id) throw new Refusal("conflict", "You can’t report your own words. You can delete them.");
  const mark = { postId: id, userId: student.id, kind: "report", reason } as const;
  await ctx.db.transaction(async (tx) => {
    await lockLiveUser(tx, student.id);
    await find.lockQuestion(tx, questionId ?? id);
    await find.addMark(tx, mark, ctx.clock.now());
  });
}

interface PostKey {
  readonly id: string;
  readonly kind: "question" | "answer";
}

function kindOf({ questionId }: find.PostRow): PostKey["kind"] {
  return questionId === null ? "question" : "answer";
}

function isDone({ deletedAt }: find.PostRow): boolean {
  return deletedAt !== null;
}

/** What the student may read and write to. */
async function openPost(ctx: Context, student: User, { id, kind }: PostKey): Promise<find.PostRow> {
  const found = (await find.findShown(ctx.db, student.id, id))?.post;
  if (!found || kindOf(found) !== kind || isDone(found)) throw notFound(kind);
  if (found.questionId !== null && !(await find.findShown(ctx.db, student.id, found.questionId))) throw notFound(kind);
  await writableLesson(ctx, student, found.lessonId);
  return found;
}

/** Also a deleted one, whose answers stay. */
async function openQuestion(ctx: Context, student: User, id: string): Promise<find.PostRow> {
  const found = (await find.findShown(ctx.db, student.id, id))?.post;
  if (!found || kindOf(found) !== "question") throw notFound("question");
  await writableLesson(ctx, student, found.lessonId);
  return found;
}

/** Locks a question that the student reads. */
async function lockOpen(tx: Db, student: User, id: string): Promise<find.PostRow> {
  const question = await find.lockQuestion(tx, id);
  if (!question || (question.hiddenAt && question.authorId !== student.id)) throw notFound("question");
  return question;
}

async function writableLesson(ctx: Context, student: User, lessonId: string) {
  const lesson = await watchableLesson(ctx, student, lessonId);
  requireUnblocked(student);
  return lesson;
}

const lockedBecause: readonly string[] = ["tier-required", "account-blocked", "not-yet-available"];

/** @throws Refusal not-found */
async function mayWatch(ctx: Context, student: User, lessonId: string): Promise<boolean> {
  try {
    await watchableLesson(ctx, student, lessonId);
    return true;
  } catch (error) {
    if (error instanceof Refusal && lockedBecause.includes(error.code)) return false;
    throw error;
  }
}
