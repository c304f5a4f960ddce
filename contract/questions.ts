import { z } from "zod";
import { paging, plainText, recordId } from "./admin/admin.ts";
import { endpoint } from "./endpoint.ts";
import { notPlain, plainLine } from "./line.ts";
import { MadeFrom, Version } from "./version.ts";

export const minTitleLength = 8;
export const maxTitleLength = 140;
export const maxPostLength = 4000;
/** In 24 hours, of one person. */
export const maxQuestionsADay = 10;
export const maxAnswersADay = 30;

/** @internal */
export const questionSorts = ["top", "new", "unanswered"] as const;
export const QuestionSort = z.enum(questionSorts).describe("Unanswered: those first, each part newest first");
export type QuestionSort = z.infer<typeof QuestionSort>;

export const Author = z
  .object({
    name: z
      .string()
      .nullable()
      .describe("First name and initial, of the team the whole name; null: a student who has left"),
    isOfTeam: z.boolean().describe("Wrote it for the team, which carries a badge"),
    isYou: z.boolean(),
  })
  .meta({ id: "QuestionAuthor" });
export type Author = z.infer<typeof Author>;

/** What questions and answers have in common. */
const post = {
  id: z.string(),
  author: Author,
  createdAt: z.iso.datetime(),
  isEdited: z.boolean(),
  helpful: z.int().describe("How many people found it helpful"),
  foundHelpful: z.boolean().describe("By the reader"),
  hiddenBecause: z.string().nullable().describe("Only its author reads a hidden text, with the reason"),
};

/** A question in a list, without its text. */
export const QuestionRow = z
  .object({
    ...post,
    lessonId: z.string(),
    lessonTitle: z.string(),
    title: z.string().describe("Empty once deleted: the answers of others stay"),
    at: z.int().nullable().describe("The second of the lesson that it is about"),
    answers: z.int().describe("How many can be read"),
    isAnswered: z.boolean().describe("By somebody else, or with an accepted answer"),
    acceptedId: z.string().nullable(),
    isClosed: z.boolean().describe("Takes no more answers"),
    duplicateOf: z.object({ id: z.string(), title: z.string() }).nullable(),
    isDeleted: z.boolean(),
  })
  .meta({ id: "QuestionRow" });
export type QuestionRow = z.infer<typeof QuestionRow>;

const html = z.string().describe("Made from `text`, safe to show");
const source = z.string().describe("As its author wrote it, in Markdown");

export const QuestionAnswer = z
  .object({ ...post, html, text: source, version: Version, isAccepted: z.boolean() })
  .meta({ id: "QuestionAnswer" });
export type QuestionAnswer = z.infer<typeof QuestionAnswer>;

export const Question = QuestionRow.extend({ html, text: source, version: Version, canAccept: z.boolean() }).meta({
  id: "Question",
});
export type Question = z.infer<typeof Question>;

export const QuestionThread = z
  .object({
    question: Question,
    answerRows: z.array(QuestionAnswer).describe("The accepted one first, then the most helpful, then the oldest"),
  })
  .meta({ id: "QuestionThread" });
export type QuestionThread = z.infer<typeof QuestionThread>;

const LessonParams = z.object({ lessonId: z.string().regex(/^[a-z0-9-]{1,40}$/) });
const Params = z.object({ id: recordId });
/** Chosen by the sender, so that sending again creates nothing more. */
const newId = z
  .string()
  .regex(/^[a-z0-9-]{16,40}$/, "Not an id")
  .optional()
  .describe("Chosen by the sender: sent again, it is the same one");
/** Characters that have no width do not count. */
const isSeen = (text: string, length = 1) => text.replaceAll(/[\p{C}\p{Z}]/gu, "").length >= length;
const Title = plainText(maxTitleLength)
  .overwrite((title) => title.replaceAll(/\s+/g, " "))
  .regex(plainLine, notPlain)
  .refine((title) => isSeen(title, minTitleLength), `Use at least ${minTitleLength} characters`);
const Text = plainText(maxPostLength);
const AnswerText = Text.refine((text) => isSeen(text), "Enter an answer");
const second = z
  .int()
  .min(0)
  .max(86_400)
  .nullable()
  .describe("Seconds into the lesson; past its end, its end is meant");
const ListQuery = z.strictObject({ ...paging, sort: QuestionSort.default("top") });
const Gone = z.object({ success: z.literal(true) });

export const listLessonQuestions = endpoint({
  method: "GET",
  path: "/api/lessons/{lessonId}/questions",
  summary: "The questions of a lesson, a page of them; for those who may not watch it, some titles",
  params: LessonParams,
  query: ListQuery,
  reply: z.object({
    questions: z.array(QuestionRow),
    lockedTitles: z.array(z.string()).nullable().describe("Null for those who may watch the lesson"),
  }),
});

export const askQuestion = endpoint({
  method: "POST",
  path: "/api/lessons/{lessonId}/questions",
  summary: `Asks a question about a lesson that one may watch, at most ${maxQuestionsADay} in a day; repeatable with an id`,
  params: LessonParams,
  body: z.strictObject({ id: newId, title: Title, text: Text, at: second.default(null) }),
  reply: QuestionThread,
});

export const findSimilarQuestions = endpoint({
  method: "GET",
  path: "/api/lessons/{lessonId}/questions/similar",
  summary: "Questions of the lesson that resemble a title, and where its transcript speaks of it",
  params: LessonParams,
  query: z.strictObject({ title: plainText(maxTitleLength).default("") }),
  reply: z.object({
    questions: z.array(z.object({ id: z.string(), title: z.string(), isAnswered: z.boolean() })),
    said: z.array(z.object({ at: z.int().describe("Seconds"), text: z.string() })),
  }),
});

export const listQuestions = endpoint({
  method: "GET",
  path: "/api/questions",
  summary: "The questions of all lessons that one may watch, a page of them",
  query: ListQuery,
  reply: z.array(QuestionRow),
});

export const getQuestion = endpoint({
  method: "GET",
  path: "/api/questions/{id}",
  summary: "A question with a page of its answers",
  params: Params,
  query: z.strictObject(paging),
  reply: QuestionThread,
});

export const editQuestion = endpoint({
  method: "PUT",
  path: "/api/questions/{id}",
  summary: "Changes one's own question; 409 when it has changed since that version. Repeatable",
  params: Params,
  body: MadeFrom.extend({ title: Title, text: Text }),
  reply: QuestionThread,
});

export const deleteQuestion = endpoint({
  method: "DELETE",
  path: "/api/questions/{id}",
  summary: "Deletes one's own question; answers of others stay, without it. Repeatable",
  params: Params,
  reply: Gone,
});

export const acceptAnswer = endpoint({
  method: "POST",
  path: "/api/questions/{id}/accept",
  summary: "Accepts an answer or none, by the person who asked or the team; repeatable",
  params: Params,
  body: z.strictObject({ answerId: recordId.nullable() }),
  reply: QuestionThread,
});

/** What a form asks for. */
export const NewAnswer = z.strictObject({ text: AnswerText });

export const writeAnswer = endpoint({
  method: "POST",
  path: "/api/questions/{id}/answers",
  summary: `Answers a question that is not closed, at most ${maxAnswersADay} times in a day; repeatable with an id`,
  params: Params,
  body: z.strictObject({ id: newId, text: AnswerText }),
  reply: QuestionThread,
});

export const editAnswer = endpoint({
  method: "PUT",
  path: "/api/answers/{id}",
  summary: "Changes one's own answer; 409 when it has changed since that version. Repeatable",
  params: Params,
  body: MadeFrom.extend({ text: AnswerText }),
  reply: QuestionThread,
});

export const deleteAnswer = endpoint({
  method: "DELETE",
  path: "/api/answers/{id}",
  summary: "Deletes one's own answer; repeatable",
  params: Params,
  reply: Gone,
});

const Helpful = z.strictObject({ isHelpful: z.boolean().default(true) }).nullish();
const Report = z.strictObject({ reason: plainText(500).optional() }).nullish();

export const markQuestionHelpful = endpoint({
  method: "POST",
  path: "/api/questions/{id}/helpful",
  summary: "Marks the question of somebody else as helpful, or takes the mark back; each person counts once",
  params: Params,
  body: Helpful,
  reply: z.object({ helpful: z.int(), foundHelpful: z.boolean() }),
});

export const markAnswerHelpful = endpoint({
  ...markQuestionHelpful,
  path: "/api/answers/{id}/helpful",
  summary: "Marks the answer of somebody else as helpful, or takes the mark back; each person counts once",
});

export const reportQuestion = endpoint({
  method: "POST",
  path: "/api/questions/{id}/report",
  summary: "Reports the question of somebody else to the team; each person counts once",
  params: Params,
  body: Report,
  reply: Gone,
});

export const reportAnswer = endpoint({
  ...reportQuestion,
  path: "/api/answers/{id}/report",
  summary: "Reports the answer of somebody else to the team; each person counts once",
});

export const getAnswerTime = endpoint({
  method: "GET",
  path: "/api/questions/answer-time",
  summary: "The measured median time from a question to the first answer of somebody else, of the last 30 days",
  reply: z.object({ medianSeconds: z.int().nullable().describe("Null with fewer than five answered questions") }),
});

export const QuestionHit = QuestionRow.pick({ id: true, title: true, lessonTitle: true, answers: true });
export type QuestionHit = z.infer<typeof QuestionHit>;

export const searchQuestions = endpoint({
  method: "GET",
  path: "/api/questions/search",
  summary: "Answered questions that hold every word, of the lessons that one may watch, the best first",
  query: z.strictObject({ q: plainText(100).default("").describe("Words, or their beginnings") }),
  reply: z.array(QuestionHit),
});
