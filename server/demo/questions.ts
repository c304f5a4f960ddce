import { type BuiltInQuestion, questions } from "#content/questions.ts";
import { after, DAY, HOUR, MINUTE } from "#server/base/clock.ts";
import { idFor } from "#server/db/id.ts";
import type { History } from "./rows.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { Student } from "./student.ts";

type Post = History["questions"][number];
type Mark = History["questionMarks"][number];

interface Year {
  readonly students: readonly Student[];
  readonly administrators: readonly string[];
  readonly from: Date;
  readonly now: Date;
}

/** What students asked in a year, most of it lately, with the answers. The last ones wait. */
export function askQuestions(random: SeededRandom, year: Year): { questions: Post[]; questionMarks: Mark[] } {
  const marks: Mark[] = [];
  const posts = questions.flatMap((question, number) => askOne(random, year, { question, number }, marks));
  return { questions: posts, questionMarks: marks };
}

function askOne(
  random: SeededRandom,
  { students, administrators, from, now }: Year,
  { question, number }: { readonly question: BuiltInQuestion; readonly number: number },
  marks: Mark[],
): Post[] {
  const days = (now.getTime() - from.getTime()) / DAY;
  const share = ((number + random.next()) / questions.length) ** 0.08;
  const isWaiting = question.answers.length === 0;
  const createdAt = isWaiting
    ? after(now, -(questions.length - number) * random.between(7, 20) * HOUR)
    : after(from, share * (days - 3) * DAY);
  const there = students.filter(({ user, purchases }) => purchases.length > 0 && user.createdAt < createdAt);
  const pick = () => random.pick(there.length > 0 ? there : students).user.id;
  const id = idFor("question", now.toISOString(), String(number));
  const authorId = pick();
  const post = (more: Partial<Post> & Pick<Post, "id" | "authorId" | "text" | "createdAt">): Post => {
    const helpful = random.whole(0, 5);
    const people = new Set(Array.from({ length: helpful }, pick).filter((userId) => userId !== more.authorId));
    for (const userId of people) {
      marks.push({
        postId: more.id,
        userId,
        kind: "helpful",
        reason: null,
        dismissedAt: null,
        createdAt: more.createdAt,
      });
    }
    return { ...unset, lessonId: question.lessonId, helpful: people.size, ...more };
  };
  let answeredAt = createdAt;
  const answers = question.answers.map((answer, at) => {
    answeredAt = after(answeredAt, random.between(25, 300) * MINUTE);
    const answerId = idFor(id, "answer", String(at));
    const isOfTeam = answer.by === "team";
    if (answer.report) {
      const report = { reason: answer.report, dismissedAt: null, createdAt: after(answeredAt, HOUR) };
      marks.push({ postId: answerId, userId: authorId, kind: "report", ...report });
    }
    return post({
      ...{ id: answerId, questionId: id, isOfTeam, text: answer.text, createdAt: answeredAt },
      ...{ authorId: isOfTeam ? random.pick(administrators) : pick(), reports: answer.report ? 1 : 0 },
    });
  });
  const accepted = answers[question.answers.findIndex(({ isAccepted }) => isAccepted)];
  return [
    post({
      ...{ id, authorId, title: question.title, text: question.text, at: question.at, createdAt },
      ...{ answers: answers.length, isAnswered: !isWaiting, firstAnsweredAt: answers[0]?.createdAt ?? null },
      acceptedId: accepted?.id ?? null,
    }),
    ...answers,
  ];
}

const unset = {
  ...{ questionId: null, title: "", at: null, editedAt: null, deletedAt: null, hiddenAt: null, hiddenBecause: null },
  ...{ isOfTeam: false, reports: 0, closedAt: null, duplicateOf: null, acceptedId: null, answers: 0 },
  ...{ isAnswered: false, firstAnsweredAt: null },
};
