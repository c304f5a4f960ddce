import { type LessonProgress, maxStretches, type WatchNote } from "#contract/progress.ts";
import { isWatchedThrough } from "./numbers.ts";
import { type Watched, watchedSeconds, withStretch } from "./watched.ts";

/** What a player says about a lesson at one time. Times within the lesson in seconds. */
export interface ProgressNote {
  watched: Watched;
  position: number;
  /** When it was so, in milliseconds of this machine's calendar. */
  at: number;
}

interface NotedLesson {
  lessonId: string;
  moduleId: string;
  /** Seconds. */
  duration: number;
}

/** Two notes as one: all that was watched, and the later position. */
export function mergeNotes(one: ProgressNote, other: ProgressNote): ProgressNote {
  const later = other.at >= one.at ? other : one;
  return { ...later, watched: other.watched.reduce(withStretch, one.watched) };
}

/**
 * The note as the server takes it, whose clock is `ahead` milliseconds before ours. Of more stretches than fit the
 * longest go: the others were in notes before.
 */
export function toWatchNote(lessonId: string, { watched, position, at }: ProgressNote, ahead: number): WatchNote {
  const longest = watched.toSorted((a, b) => b.to - b.from - (a.to - a.from)).slice(0, maxStretches);
  return {
    lessonId,
    watched: longest.map(({ from, to }): [number, number] => [from, to]),
    position,
    at: new Date(at + ahead).toISOString(),
  };
}

/**
 * The list of progress with a note added to its lesson's record. It is what this page knows by itself, until the server
 * says how the record stands: at least what was watched here, and completed when that came to be nine tenths.
 */
export function withNote(list: readonly LessonProgress[], lesson: NotedLesson, note: ProgressNote): LessonProgress[] {
  const { record, rest } = take(list, lesson);
  const watchTime = Math.max(record.watchTime, Math.min(lesson.duration, watchedSeconds(note.watched)));
  const completes =
    !isWatchedThrough(record.watchTime, lesson.duration) && isWatchedThrough(watchTime, lesson.duration);
  const noted = {
    ...record,
    watchTime,
    coverage: lesson.duration > 0 ? watchTime / lesson.duration : 0,
    position: Math.min(lesson.duration, note.position),
  };
  return [...rest, completes ? completed(noted, true) : noted];
}

/** The list of progress with a lesson marked, before the server has answered. */
export function withCompletion(
  list: readonly LessonProgress[],
  lesson: NotedLesson,
  isCompleted: boolean,
): LessonProgress[] {
  const { record, rest } = take(list, lesson);
  return [...rest, completed(record, isCompleted)];
}

/** The list of progress with a record as the server says that it stands; an answer overtaken by a newer one is dropped. */
export function withRecord(list: readonly LessonProgress[], record: LessonProgress): LessonProgress[] {
  const before = list.find(({ lessonId }) => lessonId === record.lessonId);
  if (before && before.updatedAt > record.updatedAt) return [...list];
  return [...list.filter((other) => other !== before), record];
}

function completed(record: LessonProgress, isCompleted: boolean): LessonProgress {
  const completedAt = isCompleted ? (record.completedAt ?? new Date().toISOString()) : null;
  return { ...record, isCompleted, completedAt };
}

/** The lesson's record, which begins empty, and the others. */
function take(list: readonly LessonProgress[], { lessonId, moduleId }: NotedLesson) {
  const record = list.find((other) => other.lessonId === lessonId) ?? {
    lessonId,
    moduleId,
    isCompleted: false,
    watchTime: 0,
    coverage: 0,
    position: 0,
    completedAt: null,
    // Older than whatever the server will say.
    updatedAt: new Date(0).toISOString(),
  };
  return { record, rest: list.filter((other) => other.lessonId !== lessonId) };
}
