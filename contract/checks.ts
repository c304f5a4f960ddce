import { z } from "zod";
import { endpoint } from "./endpoint.ts";

/** What a student answers: an option's id, the ids of several, a number as it is typed or sent, or a text. */
export const Answer = z.union([z.string().max(500), z.array(z.string().max(40)).max(20), z.number()], {
  error: "Not an answer: a text, a list of options or a number",
});
export type Answer = z.infer<typeof Answer>;

export const AnsweredQuestion = z
  .object({
    id: z.string(),
    kind: z.enum(["one", "several", "number", "text"]),
    text: z.string(),
    options: z.array(z.object({ id: z.string(), text: z.string() })).optional(),
    unit: z.string().optional(),
    result: z
      .object({
        isRight: z.boolean().describe("Stays true once an answer was right"),
        given: Answer.nullable().describe("Null when the answer was shown before one was given"),
        right: Answer.nullable().describe("Null until the question was answered right, or its answer shown"),
        explanation: z.string(),
        at: z.int().nullable().describe("The second of the lesson where it is said"),
        wasShown: z
          .boolean()
          .describe("Whether the student asked for the answer, which does not count for a certificate"),
      })
      .nullable()
      .describe("Null until it was answered"),
  })
  .meta({ id: "AnsweredQuestion" });
export type AnsweredQuestion = z.infer<typeof AnsweredQuestion>;

export const LessonCheck = z
  .object({
    version: z.string().describe("Changes when a question that is asked changes"),
    passed: z.boolean().describe("Whether each question was right once or shown; stays true when questions change"),
    questions: z.array(AnsweredQuestion),
  })
  .meta({ id: "LessonCheck" });
export type LessonCheck = z.infer<typeof LessonCheck>;

const Id = z.string().regex(/^[a-z0-9-]{1,40}$/);
const QuestionParams = z.object({ lessonId: Id, questionId: Id });

export const listChecks = endpoint({
  method: "GET",
  path: "/api/user/checks",
  summary: "The lessons that have a check, each with whether the signed-in student has passed it",
  reply: z.array(z.object({ lessonId: z.string(), isPassed: z.boolean() })),
});

export const getCheck = endpoint({
  method: "GET",
  path: "/api/lessons/{lessonId}/check",
  summary: "The questions of a lesson that the student may watch, with the results so far",
  params: z.object({ lessonId: Id }),
  reply: LessonCheck,
});

export const answerQuestion = endpoint({
  method: "PUT",
  path: "/api/lessons/{lessonId}/check/{questionId}",
  summary: "Grades an answer; repeatable, at most 60 in a minute. 409 when the check has changed since it was read",
  params: QuestionParams,
  body: z.strictObject({ version: z.string().max(40), answer: Answer }),
  reply: AnsweredQuestion,
});

export const showAnswer = endpoint({
  method: "POST",
  path: "/api/lessons/{lessonId}/check/{questionId}/show",
  summary: "Shows the right answer to a student who gives up; the question no longer counts for a certificate",
  params: QuestionParams,
  body: z.strictObject({}).nullish(),
  reply: AnsweredQuestion,
});

export const retakeCheck = endpoint({
  method: "POST",
  path: "/api/lessons/{lessonId}/check/retake",
  summary:
    "Asks the student again what was shown, so that the check can count for a certificate. What is passed stays so",
  params: z.object({ lessonId: Id }),
  body: z.strictObject({}).nullish(),
  reply: LessonCheck,
});
