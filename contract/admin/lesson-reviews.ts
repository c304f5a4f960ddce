import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Done, pageOf, paging, recordId } from "./admin.ts";

/** A lesson that students can watch, and when somebody last checked that it is still right. */
export const LessonReview = z
  .object({
    id: z.string().describe("Of the lesson"),
    title: z.string(),
    moduleTitle: z.string(),
    verifiedAt: z.iso.datetime().nullable().describe("Null: never"),
    verifiedBy: z.string().nullable().describe("A name; null also for a day that was restored"),
    publishedAt: z.iso.datetime().describe("When it was last published"),
    dueAt: z.iso
      .datetime()
      .describe("When it must be checked again; a lesson that was never checked: as if published then"),
  })
  .meta({ id: "LessonReview" });
export type LessonReview = z.infer<typeof LessonReview>;

export const LessonReviewFilter = z.strictObject({
  show: z.literal("all").optional().describe("Absent: those that are due"),
});
export type LessonReviewFilter = z.infer<typeof LessonReviewFilter>;

const path = "/api/admin/lesson-reviews";

export const listLessonReviews = endpoint({
  method: "GET",
  path,
  summary: "Lessons that are due for review, or all that can be watched, the longest unchecked first, a page of them",
  permission: "content:write",
  query: LessonReviewFilter.extend(paging),
  reply: pageOf(LessonReview),
});

export const verifyLesson = endpoint({
  method: "PUT",
  path: `${path}/{lessonId}`,
  summary: "Notes that a lesson was checked now and is still right, or takes that back by the earlier time",
  permission: "content:write",
  withoutFreshSignIn: "Changes one date, which can be taken back and is logged",
  params: z.object({ lessonId: recordId }),
  body: z.strictObject({
    verifiedAt: z.iso.datetime().nullable().optional().describe("The earlier time, to take a check back; absent: now"),
  }),
  reply: Done,
});
