import { and, asc, eq, isNull, ne, sql } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { deletePost, hasOthersAnswers, lockQuestion, recount, removeMark } from "./queries.ts";
import { questionMarks, questionPosts } from "./tables.ts";

/** For the person's export: what they wrote, found helpful and reported. */
export async function exportQuestions(db: Db, userId: string) {
  const { id, questionId, lessonId, title, text, at, createdAt, editedAt, hiddenBecause } = questionPosts;
  const written = await db
    .select({ id, questionId, lessonId, title, text, at, createdAt, editedAt, hiddenBecause })
    .from(questionPosts)
    .where(and(eq(questionPosts.authorId, userId), isNull(questionPosts.deletedAt)))
    .orderBy(asc(createdAt));
  const { kind, postId, reason } = questionMarks;
  const marks = await db
    .select({ kind, of: postId, reason, createdAt: questionMarks.createdAt })
    .from(questionMarks)
    .where(eq(questionMarks.userId, userId))
    .orderBy(asc(questionMarks.createdAt));
  return {
    questions: written.filter((post) => post.questionId === null),
    answers: written.filter((post) => post.questionId !== null),
    marks,
  };
}

/**
 * Deletes what a person wrote as a student. A question that somebody has answered keeps its title and the answers; what
 * was written for the team stays as the team's. Neither names the person any more.
 */
export async function forgetQuestions(tx: Db, userId: string): Promise<void> {
  const marks = await tx
    .select()
    .from(questionMarks)
    .where(eq(questionMarks.userId, userId))
    .orderBy(questionMarks.postId);
  for (const mark of marks) await removeMark(tx, mark);

  const isOwn = eq(questionPosts.authorId, userId);
  const { id, questionId, isOfTeam } = questionPosts;
  const posts = await tx
    .select({ id, questionId, isOfTeam })
    .from(questionPosts)
    .where(isOwn)
    // In one order of questions, each after its answers.
    .orderBy(sql`coalesce(${questionId}, ${id})`, sql`${questionId} is null`, asc(id));
  for (const post of posts) {
    const question = await lockQuestion(tx, post.questionId ?? post.id);
    if (!question) continue;
    if (post.questionId === null && (post.isOfTeam || (await hasOthersAnswers(tx, question)))) continue;
    if (post.questionId !== null && post.isOfTeam) continue;
    await deletePost(tx, post.id);
    if (post.questionId !== null) await recount(tx, question);
  }
  await tx
    .update(questionPosts)
    .set({ text: "" })
    .where(and(isOwn, isNull(questionId), ne(isOfTeam, true)));
  await tx.update(questionPosts).set({ authorId: null }).where(isOwn);
}
