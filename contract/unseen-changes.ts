import { z } from "zod";
import { endpoint } from "./endpoint.ts";

/** A change that a student has not seen, of a lesson that they have watched before. */
export const UnseenChange = z
  .object({
    id: z.string(),
    lessonId: z.string(),
    at: z.iso.datetime(),
    from: z.int().nullable().describe("Seconds; null: the whole lesson"),
    to: z.int().nullable(),
    note: z.string(),
  })
  .meta({ id: "UnseenChange" });
export type UnseenChange = z.infer<typeof UnseenChange>;

export const listUnseenChanges = endpoint({
  method: "GET",
  path: "/api/user/lesson-changes",
  summary: "What changed in lessons after the student began them, until they have seen it; the newest first",
  reply: z.array(UnseenChange),
});

export const seeChanges = endpoint({
  method: "PUT",
  path: "/api/user/lesson-changes/{lessonId}",
  summary: "Notes that the student has seen the changes of a lesson up to one of them; repeatable",
  params: z.object({ lessonId: z.string().regex(/^[a-z0-9-]{1,40}$/) }),
  body: z.strictObject({ changeId: z.string().max(40).describe("The newest one that was seen") }),
  reply: z.array(UnseenChange).describe("Those that are left"),
});
