import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Author, QuestionRow } from "../questions.ts";
import { Tier } from "../tiers.ts";
import { paging, plainText, recordId } from "./admin.ts";

export const AdminQuestion = QuestionRow.extend({
  requiredTier: Tier,
  authorId: z.string().nullable().describe("The user; null: has left"),
  reports: z.int().describe("Of the question and its answers that nobody has dismissed"),
}).meta({ id: "AdminQuestion" });
export type AdminQuestion = z.infer<typeof AdminQuestion>;

export const AdminPost = z.object({
  id: z.string().describe("Of the question or the answer"),
  author: Author,
  authorId: z.string().nullable(),
  html: z.string(),
  hiddenBecause: z.string().nullable(),
  reports: z.array(z.object({ reason: z.string().nullable(), createdAt: z.iso.datetime() })),
});

const QueueFilter = z.strictObject({
  search: plainText(100).optional(),
  lessonId: recordId.optional(),
  show: z
    .enum(["unanswered", "reported", "hidden", "all"])
    .default("all")
    .describe("Unanswered: open ones without an answer of somebody else"),
});

const Params = z.object({ id: recordId });
const Gone = z.object({ success: z.literal(true) });

const admin = { permission: "questions:answer" } as const;

export const listAdminQuestions = endpoint({
  ...admin,
  method: "GET",
  path: "/api/admin/questions",
  summary: "The questions of all lessons: unanswered ones first, the oldest of them first, then the newest others",
  query: QueueFilter.extend(paging),
  reply: z.array(AdminQuestion),
});

export const listCoachQuestions = endpoint({
  ...listAdminQuestions,
  path: "/api/coach/questions",
  summary: "The same for coaches, to whom the administration is closed",
});

export const countAdminQuestions = endpoint({
  ...admin,
  method: "GET",
  path: "/api/admin/questions/count",
  summary: "How many questions wait for an answer, how many have reports, and how many a filter finds",
  query: QueueFilter,
  reply: z.object({ total: z.int(), unanswered: z.int(), reported: z.int() }),
});

export const getAdminQuestion = endpoint({
  ...admin,
  method: "GET",
  path: "/api/admin/questions/{id}",
  summary: "A question with all answers and reports, also hidden ones",
  params: Params,
  reply: z.object({ question: AdminQuestion, posts: z.array(AdminPost).describe("The question first") }),
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
  reply: Gone,
});

export const dismissReports = endpoint({
  ...admin,
  method: "POST",
  path: "/api/admin/questions/{id}/dismiss-reports",
  summary: "Takes the reports of a question and its answers off the queue",
  params: Params,
  body: z.strictObject({}),
  reply: Gone,
});

export const closeQuestion = endpoint({
  ...admin,
  method: "POST",
  path: "/api/admin/questions/{id}/close",
  summary: "Closes a question, which takes no more answers then, or opens it again",
  params: Params,
  body: z.strictObject({ isClosed: z.boolean() }),
  reply: Gone,
});

export const markDuplicate = endpoint({
  ...admin,
  method: "POST",
  path: "/api/admin/questions/{id}/duplicate",
  summary: "Closes a question as a duplicate of another one that is none itself; null takes it back",
  params: Params,
  body: z.strictObject({ of: recordId.nullable() }),
  reply: Gone,
});
