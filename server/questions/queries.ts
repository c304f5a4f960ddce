import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { lessons, modules } from "#server/catalogue/tables.ts";
import type { Db } from "#server/db/db.ts";
import { users } from "#server/identity/tables.ts";
import { questionMarks, questionPosts } from "./tables.ts";

export type PostRow = Omit<typeof questionPosts.$inferSelect, "search">;

/** Locks a question and with it its counts: whoever writes to it or to its answers does this first. */
export async function lockQuestion(tx: Db, id: string): Promise<PostRow | null> {
  const [row] = await tx
    .select()
    .from(questionPosts)
    .where(and(eq(questionPosts.id, id), isNull(questionPosts.questionId)))
    .for("update");
  return row ?? null;
}

/** Makes the counts of a question again. Call it under its lock, after its answers have changed. */
export async function recount(tx: Db, question: Pick<PostRow, "id" | "authorId">): Promise<void> {
  await tx.execute(sql`
    update ${questionPosts} as question set
      answers = found.answers,
      is_answered = found.others > 0 or question.accepted_id is not null,
      first_answered_at = coalesce(question.first_answered_at, found.first_at)
    from (
      select count(*)::int as answers,
        count(*) filter (where author_id is distinct from ${question.authorId}) as others,
        min(created_at) filter (where author_id is distinct from ${question.authorId}) as first_at
      from ${questionPosts} where question_id = ${question.id} and hidden_at is null
    ) as found
    where question.id = ${question.id}`);
}
