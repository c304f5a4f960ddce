import { confusingBelow } from "#contract/admin/check-content.ts";
import type { CheckFigures } from "#contract/admin/statistics.ts";
import type { Db } from "#server/db/db.ts";
import { countAnswers, type QuestionCount } from "./queries.ts";

export async function describeCheckFigures(db: Db): Promise<CheckFigures> {
  return (await countAnswers(db)).map((count) => {
    const { lessonId, lessonTitle, content, answered, rightAtFirst } = count;
    return {
      lessonId,
      lessonTitle,
      questionId: content.id,
      text: content.text,
      answered,
      rightAtFirst,
      wrongAnswer: findWrongAnswer(count),
      isConfusing: answered > 0 && rightAtFirst / answered < confusingBelow,
    };
  });
}

function findWrongAnswer({ content, wrong }: QuestionCount): { text: string; students: number } | null {
  for (const { given, students } of wrong) {
    if (!("options" in content)) return { text: given, students };
    const option = content.options.find(({ id }) => id === given);
    if (option && !option.isRight) return { text: option.text, students };
  }
  return null;
}
