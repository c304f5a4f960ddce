import { eq } from "drizzle-orm";
import type { Paging } from "#contract/admin/admin.ts";
import type { AdminQuestion, AdminThread, QueueCount, QueueFilter } from "#contract/admin/questions.ts";
import { audited, type Change } from "#server/audit/audit.ts";
import { invalidFields, notFound } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import type { User } from "#server/identity/users.ts";
import * as find from "./admin-queries.ts";
import { presentAnswer, presentRow } from "./present.ts";
import { findPost, lockQuestion, type PostRow, recount, type ShownPost, setAccepted } from "./queries.ts";
import { questionPosts } from "./tables.ts";

export async function listQueue(ctx: Context, actor: User, query: QueueFilter & Paging): Promise<AdminQuestion[]> {
  return present(ctx.db, actor, await find.listQueueRows(ctx.db, actor.id, query));
}

export async function countQueue(ctx: Context, filter: QueueFilter): Promise<QueueCount> {
  const [total, waiting] = await Promise.all([find.countQueue(ctx.db, filter), find.countWaiting(ctx.db)]);
  return { ...waiting, total };
}

/** What the team should look at: questions that wait for an answer, or in whose thread something was reported. */
export function countQuestionsToReview(db: Db): Promise<number> {
  return find.countQueue(db, { show: "to-review" });
}

/** What a student waits for. */
export function listWaitingOf(db: Db, userId: string) {
  return find.listWaiting(db, 20, userId);
}

export function countQuestionsByLesson(db: Db): Promise<find.QuestionCount[]> {
  return find.countQuestionsByLesson(db);
}

/** @throws Refusal not-found. */
export async function describeThread(
  ctx: Context,
  actor: User,
  questionId: string,
  page: Paging,
): Promise<AdminThread> {
  const row = await find.findQueueRow(ctx.db, actor.id, questionId);
  if (!row) throw notFound("question");
  const [[question], thread, reports] = await Promise.all([
    present(ctx.db, actor, [row]),
    find.listThread(ctx.db, { ...page, readerId: actor.id, question: questionId }),
    find.listReports(ctx.db, questionId),
  ]);
  const reportsOf = (post: string) => reports.filter(({ postId }) => postId === post);
  return {
    question: question as AdminQuestion,
    posts: thread.map((post) => ({
      ...presentAnswer(post, row.post, actor),
      reports: reportsOf(post.post.id).map((each) => ({ ...each, createdAt: each.createdAt.toISOString() })),
    })),
  };
}

async function present(db: Db, actor: User, rows: readonly ShownPost[]): Promise<AdminQuestion[]> {
  const reports = await find.countReports(
    db,
    rows.map(({ post }) => post.id),
  );
  return rows.map((row) => ({
    ...presentRow(row, actor),
    isWaiting: !row.post.isAnswered && !row.post.closedAt && !row.post.hiddenAt,
    reports: reports.get(row.post.id) ?? 0,
  }));
}

/** Hides a post and dismisses its reports; without a reason shows it again. @throws Refusal not-found. */
export async function hidePost(
  ctx: Context,
  actor: User,
  questionId: string,
  { answerId, reason }: { readonly answerId: string | null; readonly reason: string | null },
): Promise<void> {
  const what = answerId === null ? "question" : "answer";
  const action = `${reason === null ? "show" : "hide"} ${what}`;
  await moderate(ctx, { actor, action, questionId, reason: reason ?? undefined }, async (tx, question, now) => {
    const id = answerId ?? questionId;
    const post = await findPost(tx, id);
    if (!post || (answerId !== null && post.questionId !== questionId)) throw notFound(what);
    const hidden = reason === null ? { hiddenAt: null, hiddenBecause: null } : { hiddenAt: now, hiddenBecause: reason };
    await tx.update(questionPosts).set(hidden).where(eq(questionPosts.id, id));
    if (reason !== null) {
      await find.dismissReportRows(tx, questionId, now, id);
      // A hidden answer is not the accepted one.
      if (question.acceptedId === id) await setAccepted(tx, questionId, null);
    }
    await recount(tx, question);
    return { before: { answerId, isHidden: post.hiddenAt !== null }, after: { answerId, isHidden: reason !== null } };
  });
}

/** @throws Refusal not-found. */
export async function closeQuestion(ctx: Context, actor: User, questionId: string, isClosed: boolean): Promise<void> {
  const action = isClosed ? "close question" : "reopen question";
  await moderate(ctx, { actor, action, questionId }, async (tx, question, now) => {
    // An open question is no duplicate.
    const set = isClosed ? { closedAt: question.closedAt ?? now } : { closedAt: null, duplicateOf: null };
    await tx.update(questionPosts).set(set).where(eq(questionPosts.id, questionId));
    return { before: { isClosed: question.closedAt !== null }, after: { isClosed } };
  });
}

/** @throws Refusal not-found; invalid-input for a question that is a duplicate, hidden or gone itself. */
export async function markDuplicate(ctx: Context, actor: User, questionId: string, of: string | null): Promise<void> {
  const action = of === null ? "reopen question" : "mark question as duplicate";
  await moderate(ctx, { actor, action, questionId }, async (tx, question, now) => {
    if (of !== null) {
      // Locked, so that it does not become a duplicate meanwhile.
      const original = of === questionId ? null : await lockQuestion(tx, of);
      if (!original || original.deletedAt || original.duplicateOf || original.hiddenAt) {
        throw invalidFields({ of: ["Choose another question that is visible and is no duplicate itself"] });
      }
      await find.moveDuplicates(tx, questionId, of);
    }
    const closedAt = of === null ? null : (question.closedAt ?? now);
    await tx.update(questionPosts).set({ duplicateOf: of, closedAt }).where(eq(questionPosts.id, questionId));
    return { before: { duplicateOf: question.duplicateOf }, after: { duplicateOf: of } };
  });
}

/** @throws Refusal not-found. */
export async function dismissReports(ctx: Context, actor: User, questionId: string): Promise<void> {
  await moderate(ctx, { actor, action: "dismiss reports of question", questionId }, async (tx, _question, now) => ({
    after: { reports: await find.dismissReportRows(tx, questionId, now) },
  }));
}

interface Moderation {
  readonly actor: User;
  readonly action: string;
  readonly questionId: string;
  readonly reason?: string | undefined;
}

/** Under the question's lock. @throws Refusal not-found. */
async function moderate(
  ctx: Context,
  { questionId, ...entry }: Moderation,
  change: (tx: Db, question: PostRow, now: Date) => Promise<Change>,
): Promise<void> {
  await audited(ctx, { ...entry, subject: questionId }, async (tx, now) => {
    const question = await lockQuestion(tx, questionId);
    if (!question || question.deletedAt) throw notFound("question");
    return change(tx, question, now);
  });
}
