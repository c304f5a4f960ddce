import { z } from "zod";

/** The 1-on-1 coaching that a plan includes: a number of sessions in each period of days. `sessions` is 0 for none. */
export const CoachingPromise = z
  .object({
    sessions: z.int().min(0).max(31).describe("In each stretch; 0: the plan has no 1-on-1 coaching"),
    everyDays: z.int().min(1).max(365).describe("Length of a stretch, in days of 24 hours"),
    minutes: z.int().min(10).max(240).describe("Length of a session"),
  })
  .meta({ id: "CoachingPromise" });
export type CoachingPromise = z.infer<typeof CoachingPromise>;

export const noCoaching: CoachingPromise = { sessions: 0, everyDays: 30, minutes: 30 };

/** "one session of 30 minutes every 30 days"; null for no coaching. All pages and emails use it. */
export function promiseWords({ sessions, everyDays, minutes }: CoachingPromise): string | null {
  if (sessions === 0) return null;
  const days = everyDays === 1 ? "every day" : `every ${everyDays} days`;
  return sessions === 1
    ? `one session of ${minutes} minutes ${days}`
    : `${sessions} sessions of ${minutes} minutes ${days}`;
}
