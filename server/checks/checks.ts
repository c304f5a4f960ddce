import type { CheckQuestion } from "#contract/admin/check-content.ts";
import type { Answer, AnsweredQuestion, LessonCheck } from "#contract/checks.ts";
import { isPreviewing, ownTierInUse } from "#server/access/access.ts";
import { MINUTE } from "#server/base/clock.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import { requireVersion, versionOf } from "#server/base/version.ts";
import { listAskedQuestions } from "#server/catalogue/checks.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { countUse } from "#server/db/rate-limits.ts";
import { lockLiveUser, type User } from "#server/identity/users.ts";
import { watchableLesson } from "#server/lessons/lessons.ts";
import { type AnswerRow, forgetShown, hasPassed, listAnswers, saveAnswer, savePass } from "./queries.ts";
import { type AskedQuestion, isRightAnswer, presentAnswer, readAnswer, rightAnswer, withoutAnswer } from "./rules.ts";
import { askStudent } from "./variants.ts";

export { listChecksFor } from "./queries.ts";

/** @throws Refusal as `watchableLesson`; not-found without a check */
export async function checkOf(ctx: Context, student: User, lessonId: string): Promise<LessonCheck> {
  await watchableLesson(ctx, student, lessonId);
  const { version, questions } = await readCheck(ctx.db, student, lessonId);
  const answers = await answersTo(questions, ctx.db, student, lessonId);
  return {
    version,
    passed: answers.every(isSettled) || (await hasPassed(ctx.db, student.id, lessonId)),
    questions: questions.map(({ question }, at) => present(question, answers[at])),
  };
}

interface QuestionKey {
  readonly lessonId: string;
  readonly questionId: string;
}

/**
 * Grades an answer and stores it, once, whenever and from wherever it is sent again.
 * @throws Refusal as `watchableLesson`; not-found; invalid-input; too-many-requests; conflict when the check has
 * another version
 */
export function answerQuestion(
  ctx: Context,
  student: User,
  key: QuestionKey,
  { version, answer }: { version: string; answer: Answer },
): Promise<AnsweredQuestion> {
  return settle(ctx, student, key, version, (question) => grade(question, answer));
}

function grade(question: AskedQuestion, answer: Answer): AnswerRow {
  const given = readAnswer(question, answer);
  return { given, isRight: isRightAnswer(question, given), wasShown: false };
}

const shown: AnswerRow = { given: null, isRight: false, wasShown: true };

/** Shows the right answer. @throws Refusal as `answerQuestion`, without a version */
export function showAnswer(ctx: Context, student: User, key: QuestionKey): Promise<AnsweredQuestion> {
  return settle(ctx, student, key, undefined, () => shown);
}

/** What a student would get for a question that is being written. Stores nothing. @throws Refusal invalid-input */
export function tryQuestion(
  author: User,
  content: CheckQuestion,
  { answer, isShown }: { readonly answer?: Answer | undefined; readonly isShown: boolean },
): AnsweredQuestion {
  const question = askStudent(content, author.id);
  if (isShown) return present(question, shown);
  return present(question, answer === undefined ? undefined : grade(question, answer));
}

/** Forgets which answers were shown. @throws Refusal as `checkOf` */
export async function retakeCheck(ctx: Context, student: User, lessonId: string): Promise<LessonCheck> {
  await watchableLesson(ctx, student, lessonId);
  await ctx.db.transaction(async (tx) => {
    await lockLiveUser(tx, student.id);
    await forgetShown(tx, student.id, lessonId);
  });
  return checkOf(ctx, student, lessonId);
}

const answers = { max: 60, window: MINUTE, message: "That’s a lot of answers. Please wait a minute." };

interface Check {
  readonly version: string;
  readonly questions: readonly { readonly version: string; readonly question: AskedQuestion }[];
}

async function settle(
  ctx: Context,
  student: User,
  { lessonId, questionId }: QuestionKey,
  version: string | undefined,
  read: (question: AskedQuestion) => AnswerRow,
): Promise<AnsweredQuestion> {
  await watchableLesson(ctx, student, lessonId);
  const now = ctx.clock.now();
  await countUse(ctx.db, `check ${student.id}`, answers, now);
  const isStored = await isCounted(ctx, student, lessonId);
  return ctx.db.transaction(async (tx) => {
    // Locks the student: of two last answers at once, neither would see that the other completes the check.
    await lockLiveUser(tx, student.id);
    const check = await readCheck(tx, student, lessonId);
    requireVersion(version, check.version, "This check has changed since you opened it. Look at the question again.");
    const asked = check.questions.find(({ question }) => question.id === questionId);
    if (!asked) throw notFound("question");
    const answer = read(asked.question);
    if (!isStored) return present(asked.question, answer);
    const key = { userId: student.id, lessonId, questionId, version: asked.version };
    const saved = await saveAnswer(tx, { ...key, ...answer }, now);
    const all = await answersTo(check.questions, tx, student, lessonId);
    if (all.every(isSettled)) {
      const isUnaided = all.every((one) => !one?.wasShown);
      await savePass(tx, { userId: student.id, lessonId, version: check.version, isUnaided }, now);
    }
    return present(asked.question, saved);
  });
}

/** Whether answers are stored: not those of the team to what only a role opens, which figures would count. */
async function isCounted(ctx: Context, student: User, lessonId: string): Promise<boolean> {
  try {
    const { freePreview } = await watchableLesson(ctx, student, lessonId, ownTierInUse);
    return !(freePreview && (await isPreviewing(ctx, student)));
  } catch (error) {
    if (error instanceof Refusal && error.code === "tier-required") return false;
    throw error;
  }
}

async function readCheck(db: Db, student: User, lessonId: string): Promise<Check> {
  const rows = await listAskedQuestions(db, lessonId);
  if (rows.length === 0) throw new Refusal("not-found", "This lesson has no check.");
  return {
    version: versionOf(rows.map(({ version, content }) => [content.id, version])),
    questions: rows.map(({ version, content }) => ({ version, question: askStudent(content, student.id) })),
  };
}

/**
 * The student's answers to these questions, in their order. By their versions, since another check may have been
 * published after they were read.
 */
async function answersTo(questions: Check["questions"], db: Db, student: User, lessonId: string) {
  const answers = await listAnswers(db, student.id, lessonId);
  return questions.map(({ version, question }) =>
    answers.find((one) => one.questionId === question.id && one.version === version),
  );
}

function isSettled(answer: AnswerRow | undefined): boolean {
  return answer !== undefined && (answer.isRight || answer.wasShown);
}

function present(question: AskedQuestion, answer: AnswerRow | undefined): AnsweredQuestion {
  const { kind, explanation, at } = question;
  const asked = withoutAnswer(question);
  const { isRight = false, wasShown = false, given = null } = answer ?? {};
  if (given === null && !wasShown) return { ...asked, result: null };
  return {
    ...asked,
    result: {
      isRight,
      given: given && presentAnswer(kind, given),
      right: isRight || wasShown ? presentAnswer(kind, rightAnswer(question)) : null,
      explanation,
      at,
      wasShown,
    },
  };
}
