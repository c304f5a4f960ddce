import { href } from "#contract/addresses.ts";
import { accessOf, isBlocked } from "#server/access/access.ts";
import { userById } from "#server/identity/users.ts";
import type { StudentEmail } from "#server/mail/student-emails.ts";
import { onDay } from "#server/mail/wording.ts";
import { countWaiting, listWaiting } from "./admin-queries.ts";
import { authorName } from "./present.ts";
import { findAnswerToMail, isInOpenLesson } from "./queries.ts";

/** Ids only: what people wrote may be hidden or deleted before the email is sent. */
interface AnsweredFacts {
  readonly answerId: string;
  readonly questionId: string;
  /** Who asked. */
  readonly userId: string;
}

interface AnswerToMail {
  readonly title: string;
  readonly text: string;
  /** The answer's author as students see them. */
  readonly author: string;
}

/** Goes to who asked, unless the question or the answer is hidden or the lesson is no longer open to them. */
export const questionAnsweredEmail: StudentEmail<AnsweredFacts, AnswerToMail, "question-answered"> = {
  kind: "question-answered",
  topic: "answers",
  async prepare({ db }, { answerId, userId }, now) {
    const { tier } = await accessOf(db, userId, now);
    const found = await findAnswerToMail(db, answerId, isInOpenLesson(tier, now));
    const user = await userById(db, userId);
    if (!found || isBlocked(user.accountStatus)) return null;
    const { title, answer, author } = found;
    return { title, text: answer.text, author: authorName(answer, author) ?? "Somebody" };
  },
  write: ({ questionId, title, text, author }, _reader, say) => ({
    subject: say("subject"),
    paragraphs: [say("answered", { author, title })],
    markup: text,
    isPlain: true,
    link: ["Go to your question", href.question(questionId)],
  }),
};

interface Waiting {
  readonly unanswered: number;
  readonly reported: number;
  readonly oldestAt: Date | string | null;
  /** The oldest. */
  readonly rows: readonly { readonly title: string; readonly lessonTitle: string }[];
}

/** Goes to everybody who may answer, once a day. */
export const questionsWaitingEmail: StudentEmail<{ readonly isCoach: boolean }, Waiting> = {
  kind: "questions-waiting",
  async prepare({ db }) {
    const count = await countWaiting(db);
    return count.unanswered + count.reported > 0 ? { ...count, rows: await listWaiting(db, 10) } : null;
  },
  write: ({ isCoach, unanswered, reported, oldestAt, rows }, reader) => ({
    subject: unanswered > 0 ? wait(unanswered, "is", "waiting for an answer") : wait(reported, "has", "been reported"),
    paragraphs: [
      unanswered > 0 && reported > 0 && `${wait(reported, "has", "been reported")}.`,
      oldestAt && `The oldest one was asked on ${onDay(oldestAt, reader)}.`,
      unanswered > rows.length && `These are the first ${rows.length}.`,
    ],
    rows: rows.map(({ title, lessonTitle }) => [lessonTitle, title]),
    link: ["Answer questions", isCoach ? href.coachQuestions() : href.adminQuestions()],
    closing:
      "You’re getting this email because you can answer students’ questions. An owner can turn it off in the settings.",
  }),
};

function wait(count: number, verb: "is" | "has", what: string): string {
  const verbs = { is: "are", has: "have" };
  return count === 1 ? `1 question ${verb} ${what}` : `${count} questions ${verbs[verb]} ${what}`;
}
