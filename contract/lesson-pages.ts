import { z } from "zod";
import { endpoint } from "./endpoint.ts";

const LessonParams = z.object({ lessonId: z.string().regex(/^[a-z0-9-]{1,40}$/) });

// Apart from the catalogue, whose calls every page knows.

export const getLessonBody = endpoint({
  method: "GET",
  path: "/api/lessons/{lessonId}/body",
  summary: "The lesson's text, for those whose tier opens it",
  params: LessonParams,
  reply: z.object({ html: z.string().nullable().describe("Made from Markdown; null: none") }),
});

export const OpeningRequest = z
  .object({ lessonId: z.string(), createdAt: z.iso.datetime() })
  .meta({ id: "OpeningRequest" });
export type OpeningRequest = z.infer<typeof OpeningRequest>;

export const listOpeningRequests = endpoint({
  method: "GET",
  path: "/api/user/opening-requests",
  summary: "The lessons of which the signed-in student wants an email when they open",
  reply: z.array(OpeningRequest),
});

export const askForOpening = endpoint({
  method: "PUT",
  path: "/api/lessons/{lessonId}/opening-request",
  summary: "Asks for one email when the lesson opens; repeatable. 409 when it has no time to open at",
  params: LessonParams,
  body: z.strictObject({}),
  reply: z.array(OpeningRequest),
});

export const withdrawOpeningRequest = endpoint({
  method: "DELETE",
  path: "/api/lessons/{lessonId}/opening-request",
  summary: "Takes the request back; repeatable",
  params: LessonParams,
  reply: z.array(OpeningRequest),
});
