import type { LessonProgress } from "#contract/progress.ts";
import type { Context } from "#server/context.ts";
import type { User } from "#server/identity/users.ts";
import { watchableLesson } from "#server/lessons/lessons.ts";
import { listProgressRows, mergeProgress, type ProgressRow } from "./queries.ts";

/** One record for each lesson that the student has begun. */
export async function listProgressOf(ctx: Context, student: User): Promise<LessonProgress[]> {
  return (await listProgressRows(ctx.db, student.id)).map(present);
}

/**
 * Notes what a student did with a lesson; the same note twice, or notes out of order, leave the same record. Times
 * beyond the lesson's length count as its length.
 * @throws Refusal not-found, tier-required, account-blocked, not-yet-available.
 */
export async function noteProgress(
  ctx: Context,
  student: User,
  lessonId: string,
  note: {
    readonly isCompleted?: boolean | undefined;
    readonly watchTime?: number | undefined;
    readonly position?: number | undefined;
  },
): Promise<LessonProgress> {
  const lesson = await watchableLesson(ctx, student, lessonId);
  const within = (seconds: number | undefined) =>
    seconds === undefined ? null : Math.min(seconds, lesson.durationSeconds);
  return present(
    await mergeProgress(ctx.db, {
      userId: student.id,
      lessonId: lesson.id,
      moduleId: lesson.moduleId,
      isCompleted: note.isCompleted ?? null,
      watchTime: within(note.watchTime),
      position: within(note.position),
      now: ctx.clock.now(),
    }),
  );
}

function present(row: ProgressRow): LessonProgress {
  return {
    ...row,
    completedAt: row.completedAt?.toISOString() ?? null,
    updatedAt: row.updatedAt.toISOString(),
  };
}
