import type { LessonProgress } from "#contract/progress.ts";

/** What is said about a lesson at one time; parts that are absent stay as they are. Times in seconds. */
export interface ProgressNote {
  isCompleted?: boolean;
  /** Seconds watched in all; never lowers what is known. */
  watchTime?: number;
  position?: number;
}

/** Two notes as one, `later` having the last word. */
export function mergeNotes(earlier: ProgressNote, later: ProgressNote): ProgressNote {
  const merged = { ...earlier, ...later };
  const times = [earlier.watchTime, later.watchTime].filter((time) => time !== undefined);
  return times.length > 0 ? { ...merged, watchTime: Math.max(...times) } : merged;
}

/** The list of progress with a note added to its lesson's record, which begins with it if there was none. */
export function withNote(
  list: readonly LessonProgress[],
  { lessonId, moduleId }: { lessonId: string; moduleId: string },
  note: ProgressNote,
  now: Date,
): LessonProgress[] {
  const before = list.find((record) => record.lessonId === lessonId);
  const merged = mergeNotes(
    { isCompleted: before?.isCompleted ?? false, watchTime: before?.watchTime ?? 0, position: before?.position ?? 0 },
    note,
  );
  const isCompleted = merged.isCompleted ?? false;
  const record: LessonProgress = {
    lessonId,
    moduleId,
    isCompleted,
    watchTime: merged.watchTime ?? 0,
    position: merged.position ?? 0,
    completedAt: isCompleted ? (before?.completedAt ?? now.toISOString()) : null,
    updatedAt: now.toISOString(),
  };
  return before ? list.map((other) => (other === before ? record : other)) : [...list, record];
}
