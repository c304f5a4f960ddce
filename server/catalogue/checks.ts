import { and, asc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { CheckContent, CheckQuestion } from "#contract/admin/check-content.ts";
import { versionOf } from "#server/base/version.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { checkQuestions } from "./tables.ts";

/** By lesson, with the right answers: for the editor. */
export async function listPublishedChecks(db: Db, lessonIds: readonly string[]): Promise<Map<string, CheckContent>> {
  const rows = await db
    .select({ lessonId: checkQuestions.lessonId, content: checkQuestions.content })
    .from(checkQuestions)
    .where(and(inArray(checkQuestions.lessonId, [...lessonIds]), isNotNull(checkQuestions.position)))
    .orderBy(asc(checkQuestions.lessonId), asc(checkQuestions.position));
  const byLesson = Map.groupBy(rows, ({ lessonId }) => lessonId);
  return new Map([...byLesson].map(([id, rows]) => [id, { questions: rows.map(({ content }) => content) }]));
}

/** The questions that a lesson's check asks, in order, with their right answers. */
export function listAskedQuestions(db: Db, lessonId: string) {
  return db
    .select({ version: checkQuestions.version, content: checkQuestions.content })
    .from(checkQuestions)
    .where(and(eq(checkQuestions.lessonId, lessonId), isNotNull(checkQuestions.position)))
    .orderBy(asc(checkQuestions.position));
}

/** An unchanged question keeps its version, and so its answers. */
export async function publishCheck(tx: Db, lessonId: string, check: CheckContent | null, now: Date): Promise<void> {
  const ofLesson = eq(checkQuestions.lessonId, lessonId);
  await tx.update(checkQuestions).set({ position: null }).where(ofLesson);
  if (!check) return;
  const { lessonId: lesson, questionId, version } = checkQuestions;
  await tx
    .insert(checkQuestions)
    .values(
      check.questions.map((content, position) => ({
        lessonId,
        questionId: content.id,
        version: versionOfQuestion(content),
        position,
        content,
        publishedAt: now,
      })),
    )
    .onConflictDoUpdate({
      target: [lesson, questionId, version],
      set: { position: sql`excluded.position`, content: sql`excluded.content` },
    });
}

/** Changes with what is asked and what is right; neither with the explanation nor with the order of options. */
export function versionOfQuestion({ explanation: _, at: __, ...asked }: CheckQuestion): string {
  return versionOf("options" in asked ? { ...asked, options: asked.options.toSorted(byId) } : asked);
}

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

/** Gives new questions and options ids that were never used, since answers refer to them. */
export function withQuestionIds(check: CheckContent | null): CheckContent | null {
  return check && { questions: check.questions.map((question) => withId("question", withOptionIds(question))) };
}

function withOptionIds(question: CheckQuestion): CheckQuestion {
  return "options" in question
    ? { ...question, options: question.options.map((option) => withId("option", option)) }
    : question;
}

function withId<Entry extends { id: string }>(kind: string, entry: Entry): Entry {
  return entry.id.startsWith("new-") ? { ...entry, id: `${kind}-${newId()}` } : entry;
}
