import { checks } from "#content/checks.ts";
import type { CheckQuestion } from "#contract/admin/check-content.ts";
import { after, HOUR, MINUTE } from "#server/base/clock.ts";
import { publishCheck, versionOfQuestion } from "#server/catalogue/checks.ts";
import { rightAnswer } from "#server/checks/rules.ts";
import { askStudent } from "#server/checks/variants.ts";
import type { Db } from "#server/db/db.ts";
import type { Graduate } from "./certificates.ts";
import type { History } from "./rows.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** How many know the answer at once, question by question; the fifth one confuses. */
const easiness = [0.86, 0.61, 0.74, 0.55, 0.31];

export async function publishChecks(tx: Db, now: Date): Promise<void> {
  for (const [lessonId, questions] of Object.entries(checks)) {
    await publishCheck(tx, lessonId, { questions: [...questions] }, now);
  }
}

/** What students who completed a lesson answered right after it. */
export function answerChecks(
  progress: History["progress"],
  graduates: readonly Graduate[],
  random: SeededRandom,
  now: Date,
): History["answers"] {
  const mustPass = new Set(graduates.map(({ student }) => student.user.id));
  const all: CheckQuestion[] = Object.values(checks).flat();
  return progress.flatMap(({ userId, lessonId, completedAt }) => {
    if (!completedAt || completedAt > after(now, -HOUR) || (random.happens(0.3) && !mustPass.has(userId))) return [];
    return (checks[lessonId] ?? []).map((question) => {
      const isFirstRight = random.happens(easiness[all.indexOf(question)] ?? 0.7);
      const right = rightAnswer(askStudent(question, userId));
      const wrong = wrongAnswer(question, random);
      const isRight = isFirstRight || random.happens(0.8) || mustPass.has(userId);
      const createdAt = after(completedAt, random.between(0.5, 4) * MINUTE);
      return {
        userId,
        lessonId,
        questionId: question.id,
        version: versionOfQuestion(question),
        given: isRight ? right : wrong,
        isRight,
        wasShown: !isRight && random.happens(0.5),
        firstGiven: isFirstRight ? right : wrong,
        isFirstRight,
        createdAt,
        updatedAt: isFirstRight ? createdAt : after(createdAt, random.between(0.3, 3) * MINUTE),
      };
    });
  });
}

function wrongAnswer(question: CheckQuestion, random: SeededRandom): string[] {
  if ("options" in question) return [random.pick(question.options.filter(({ isRight }) => !isRight)).id];
  return [question.kind === "number" ? String(random.whole(10, 16)) : random.pick(["Fulfillment fee", "Storage fee"])];
}
