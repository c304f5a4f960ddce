import { eq } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { listAllAnswers } from "./queries.ts";
import { presentAnswer } from "./rules.ts";
import { checkAnswers, checkPasses } from "./tables.ts";
import { askStudent } from "./variants.ts";

/** For the student's export, without what is right. */
export async function exportChecks(db: Db, userId: string) {
  const passes = await db.select().from(checkPasses).where(eq(checkPasses.userId, userId));
  return {
    answers: (await listAllAnswers(db, userId)).map(({ answer, content }) => ({
      lessonId: answer.lessonId,
      question: askStudent(content, userId).text,
      given: answer.given && presentAnswer(content.kind, nameOptions(content, answer.given)),
      isRight: answer.isRight,
      wasShown: answer.wasShown,
      firstAnsweredAt: answer.createdAt.toISOString(),
      answeredAt: answer.updatedAt.toISOString(),
    })),
    passed: passes.map(({ lessonId, passedAt }) => ({ lessonId, passedAt: passedAt.toISOString() })),
  };
}

export async function forgetChecks(tx: Db, userId: string): Promise<void> {
  await tx.delete(checkAnswers).where(eq(checkAnswers.userId, userId));
  await tx.delete(checkPasses).where(eq(checkPasses.userId, userId));
}

/** Options by their text, since ids tell a reader nothing. */
function nameOptions(content: Parameters<typeof askStudent>[0], given: readonly string[]): string[] {
  const options = "options" in content ? content.options : [];
  return given.map((one) => options.find(({ id }) => id === one)?.text ?? one);
}
