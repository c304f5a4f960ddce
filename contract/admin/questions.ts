import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { QuestionAnswer, QuestionRow } from "../questions.ts";
import { Count, Done, paging, plainText, recordId } from "./admin.ts";

export const AdminQuestion = QuestionRow.pick({
  id: true,
  author: true,
  createdAt: true,
  hiddenBecause: true,
  lessonId: true,
  lessonTitle: true,
  title: true,
  at: true,
  answers: true,
  isAnswered: true,
  acceptedId: true,
  isClosed: true,
  duplicateOf: true,
})
  .extend({
    isWaiting: z.boolean().describe("Open, and nobody else has answered it"),
    reports: z.int().describe("Of the question and its answers that nobody has dismissed"),
  })
  .meta({ id: "AdminQuestion" });
export type AdminQuestion = z.infer<typeof AdminQuestion>;

const AdminPost = QuestionAnswer.pick({
  id: true,
  author: true,
  createdAt: true,
  html: true,
  hiddenBecause: true,
  isAccepted: true,
}).extend({ reports: z.array(z.object({ reason: z.string().nullable(), createdAt: z.iso.datetime() })) });
export type AdminPost = z.infer<typeof AdminPost>;

const AdminThread = z.object({
  question: AdminQuestion,
  posts: z.array(AdminPost).describe("A page of them: the question first, then its answers, the oldest first"),
});
export type AdminThread = z.infer<typeof AdminThread>;

export const QueueFilter = z.strictObject({
  lessonId: recordId.optional(),
  show: z
    .enum(["to-review", "unanswered", "reported", "hidden", "answered"])
    .optional()
    .describe("Unanswered: those that wait; to-review: unanswered or reported"),
});
export type QueueFilter = z.infer<typeof QueueFilter>;

const QueueCount = Count.extend({ unanswered: z.int(), reported: z.int() });
export type QueueCount = z.infer<typeof QueueCount>;

const Params = z.object({ id: recordId });

const admin = { permission: "questions:answer" } as const;

export const listAdminQuestions = endpoint({
  ...admin,
  method: "GET",
  path: "/api/admin/questions",
  summary: "The questions of all lessons: unanswered ones first, the oldest of them first, then the newest others",
  query: QueueFilter.extend(paging),
  reply: z.array(AdminQuestion),
});

export const countAdminQuestions = endpoint({
  ...admin,
  method: "GET",
  path: "/api/admin/questions/count",
  summary: "How many questions wait for an answer, how many have reports, and how many a filter finds",
  query: QueueFilter,
  reply: QueueCount,
});

export const getAdminQuestion = endpoint({
  ...admin,
  method: "GET",
  path: "/api/admin/questions/{id}",
  summary: "A question with a page of its answers and their reports, also hidden ones",
  params: Params,
  query: z.strictObject(paging),
  reply: AdminThread,
});

export const hidePost = endpoint({
  ...admin,
  method: "POST",
  path: "/api/admin/questions/{id}/hide",
  summary: "Hides a question or one of its answers from all but its author, who reads the reason; null shows it again",
  params: Params,
  body: z.strictObject({
    answerId: recordId.nullable().default(null).describe("Null: the question itself"),
    reason: plainText(500).min(3).nullable(),
  }),
  reply: Done,
});

export const dismissReports = endpoint({
  ...admin,
  method: "POST",
  path: "/api/admin/questions/{id}/dismiss-reports",
  summary: "Takes the reports of a question and its answers off the queue",
  params: Params,
  body: z.strictObject({}),
  reply: Done,
});

export const closeQuestion = endpoint({
  ...admin,
  method: "POST",
  path: "/api/admin/questions/{id}/close",
  summary: "Closes a question, which takes no more answers then, or opens it again",
  params: Params,
  body: z.strictObject({ isClosed: z.boolean() }),
  reply: Done,
});

/** What a form asks for. */
export const Duplicate = z.strictObject({ of: recordId });

export const markDuplicate = endpoint({
  ...admin,
  method: "POST",
  path: "/api/admin/questions/{id}/duplicate",
  summary: "Closes a question as a duplicate of another one that is none itself; null takes it back",
  params: Params,
  body: z.strictObject({ of: recordId.nullable() }),
  reply: Done,
});
