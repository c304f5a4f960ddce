import { z } from "zod";
import { endpoint } from "./endpoint.ts";

const CompletedBy = z
  .enum(["coverage", "reading", "button"])
  .describe("Watched enough; or marked: a text lesson, or a video that was not watched enough. Coverage stays");
export type CompletedBy = z.infer<typeof CompletedBy>;

export const LessonProgress = z
  .object({
    lessonId: z.string(),
    moduleId: z.string(),
    isCompleted: z.boolean(),
    watchTime: z
      .number()
      .describe("Seconds that were watched of the lesson, each counted once for each video it has had; never falls"),
    coverage: z.number().describe("The share of its current video that was watched, from 0 to 1; 0.9 completes it"),
    position: z.number().describe("Seconds into the lesson, where playing resumes"),
    completedAt: z.iso.datetime().nullable(),
    completedBy: CompletedBy.nullable(),
    updatedAt: z.iso.datetime().describe("When the student last did something with the lesson"),
    isChanged: z
      .literal(true)
      .optional()
      .describe("In the list: the lesson has changed since the student began it, and they haven't seen that"),
  })
  .meta({ id: "LessonProgress" });
export type LessonProgress = z.infer<typeof LessonProgress>;

export const listProgress = endpoint({
  method: "GET",
  path: "/api/user/progress",
  summary: "The signed-in student's progress, one record for each lesson begun",
  reply: z.array(LessonProgress),
});

export const listElsewhere = endpoint({
  method: "GET",
  path: "/api/user/completed-elsewhere",
  summary: "The ids of the lessons that the student completed in another program, which count for nothing here",
  reply: z.array(z.string()),
});

const LessonId = z.string().regex(/^[a-z0-9-]{1,40}$/);
const Seconds = z.number().min(0).max(86_400);

/** The maximum of watched ranges in one update. */
export const maxStretches = 100;

/** What happened to a lesson in the browser. Every part may be absent. */
const noted = {
  watched: z
    .array(z.tuple([Seconds, Seconds]))
    .max(maxStretches)
    .optional()
    .describe("Stretches that were played, [from, to] in seconds; also those that were sent before"),
  position: Seconds.optional(),
  videoId: z
    .string()
    .max(2000)
    .optional()
    .describe("Which video was watched: watched and position of one that the lesson no longer has do not count"),
  at: z.iso.datetime().optional().describe("When this was so, by the server's clock; absent: now"),
  isCompleted: z.boolean().optional().describe("What the student marked it as; absent: nothing"),
};

export const saveProgress = endpoint({
  method: "PUT",
  path: "/api/user/progress/{lessonId}",
  summary: "Notes what was watched of one lesson, the position or its completion; repeatable, in any order",
  params: z.object({ lessonId: LessonId }),
  body: z
    .strictObject({
      ...noted,
      watchTime: Seconds.optional().describe(
        "Seconds watched in all, for who knows no stretches: taken as those before the position. Beside watched: not read",
      ),
    })
    .refine((body) => Object.keys(body).length > 0, "Nothing to save"),
  reply: LessonProgress,
});

export const WatchNote = z.strictObject({ lessonId: LessonId, ...noted }).meta({ id: "WatchNote" });
export type WatchNote = z.infer<typeof WatchNote>;

/** The maximum of updates in one request. */
export const maxNotes = 20;

export const sendWatchNotes = endpoint({
  method: "POST",
  path: "/api/user/progress",
  isDeferrable: true,
  summary: "Notes what was watched or marked of several lessons; each note counts by itself, repeatable",
  body: z.strictObject({ notes: z.array(WatchNote).min(1).max(maxNotes) }),
  reply: z.object({
    now: z.iso.datetime().describe("The server's clock"),
    records: z.array(LessonProgress).describe("As they stand now; a lesson that may not be watched is missing"),
    replaced: z.array(z.string()).describe("The lessons whose notes are about a video that they no longer have"),
    refused: z.array(z.object({ lessonId: z.string(), message: z.string() })).describe("The missing ones, and why"),
  }),
});
