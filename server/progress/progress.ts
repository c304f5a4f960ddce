import type { z } from "zod";
import type { LessonProgress, sendWatchNotes, WatchNote } from "#contract/progress.ts";
import { isPreviewing, ownTierInUse } from "#server/access/access.ts";
import { Refusal } from "#server/base/refusal.ts";
import { lessonById } from "#server/catalogue/catalogue.ts";
import type { Context } from "#server/context/context.ts";
import type { User } from "#server/identity/users.ts";
import { watchableLesson } from "#server/lessons/lessons.ts";
import { listProgressRows, mergeProgress, type ProgressRow } from "./queries.ts";
import { claimOf, coverageOf, enoughOf } from "./rules.ts";

export async function listProgressOf(ctx: Context, student: User): Promise<LessonProgress[]> {
  return (await listProgressRows(ctx.db, student.id)).map(({ isChanged, ...row }) => ({
    ...present(row, row.durationSeconds),
    ...(isChanged && { isChanged }),
  }));
}

type Note = Omit<WatchNote, "lessonId"> & {
  readonly watchTime?: number | undefined;
};

/**
 * Notes what a student did with a lesson. What was watched is believed as far as the time since the last note about it
 * allows, and added to what was watched before: notes may be repeated, lost, late and out of order. The position said
 * last, by the time of the notes, counts. Both count only for the video that the lesson has. `openedAt` is since when
 * the student can have watched a lesson of which nothing is noted yet: now, for anybody who asks from outside. Takes
 * nothing of what only the team's role opens, which reports would count.
 * @throws Refusal not-found, tier-required, account-blocked, not-yet-available.
 */
export async function noteProgress(
  ctx: Context,
  student: User,
  lessonId: string,
  note: Note,
  openedAt = ctx.clock.now(),
): Promise<LessonProgress> {
  const lesson = await watchableLesson(ctx, student, lessonId, ownTierInUse);
  if (lesson.freePreview && (await isPreviewing(ctx, student))) {
    throw new Refusal("tier-required", "We save your progress once you have a plan.");
  }
  const { durationSeconds } = lesson;
  const now = ctx.clock.now();
  const at = note.at === undefined ? now : new Date(note.at);
  const row = await mergeProgress(ctx.db, {
    userId: student.id,
    lessonId: lesson.id,
    moduleId: lesson.moduleId,
    isCompleted: note.isCompleted ?? null,
    claim: claimOf(note, durationSeconds),
    position: note.position === undefined ? null : Math.min(note.position, durationSeconds),
    enough: lesson.kind === "text" ? null : enoughOf(durationSeconds),
    videoId: note.videoId ?? null,
    at: at < now ? at : now,
    now,
    openedAt,
  });
  return present(row, durationSeconds);
}

/**
 * Notes what was watched of several lessons and answers how they stand. A lesson that may not be watched, or not any
 * more, is left out and takes nothing from the others.
 * @throws Refusal as `noteProgress`, of the first note, when not one of them counts.
 */
export async function noteWatching(
  ctx: Context,
  student: User,
  notes: readonly WatchNote[],
): Promise<z.infer<typeof sendWatchNotes.reply>> {
  const records = new Map<string, LessonProgress>();
  const replaced: string[] = [];
  const refused: { lessonId: string; message: string }[] = [];
  let refusal: Refusal | undefined;
  for (const { lessonId, ...note } of notes) {
    try {
      records.set(lessonId, await noteProgress(ctx, student, lessonId, note));
      const { lesson } = await lessonById(ctx, lessonId);
      if (note.videoId !== undefined && note.videoId !== lesson.videoId) replaced.push(lessonId);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal ??= error;
      refused.push({ lessonId, message: error.message });
    }
  }
  if (refusal && records.size === 0) throw refusal;
  return { now: ctx.clock.now().toISOString(), records: [...records.values()], replaced, refused };
}

function present(row: ProgressRow, durationSeconds: number): LessonProgress {
  return {
    lessonId: row.lessonId,
    moduleId: row.moduleId,
    isCompleted: row.isCompleted,
    watchTime: Math.round((row.watchTime + row.earlierWatchTime) * 100) / 100,
    coverage: coverageOf(row.watchTime, durationSeconds),
    position: row.position,
    completedAt: row.completedAt?.toISOString() ?? null,
    completedBy: row.completedBy,
    updatedAt: row.updatedAt.toISOString(),
  };
}
