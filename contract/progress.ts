import { z } from "zod";
import { endpoint } from "./endpoint.ts";

export const LessonProgress = z
  .object({
    lessonId: z.string(),
    moduleId: z.string(),
    isCompleted: z.boolean(),
    watchTime: z.number().describe("Seconds of the lesson that were watched; never falls"),
    position: z.number().describe("Seconds into the lesson, where playing resumes"),
    completedAt: z.iso.datetime().nullable(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "LessonProgress" });
export type LessonProgress = z.infer<typeof LessonProgress>;

export const listProgress = endpoint({
  method: "GET",
  path: "/api/user/progress",
  summary: "The signed-in student's progress, one record for each lesson begun",
  reply: z.array(LessonProgress),
});

export const saveProgress = endpoint({
  method: "PUT",
  path: "/api/user/progress/{lessonId}",
  summary: "Notes watch time, position or completion of one lesson; repeatable, in any order",
  params: z.object({ lessonId: z.string().regex(/^[a-z0-9-]{1,40}$/) }),
  body: z
    .strictObject({
      isCompleted: z.boolean().optional(),
      watchTime: z.number().min(0).max(86_400).optional(),
      position: z.number().min(0).max(86_400).optional(),
    })
    .refine((body) => Object.keys(body).length > 0, "Nothing to save"),
  reply: LessonProgress,
});
