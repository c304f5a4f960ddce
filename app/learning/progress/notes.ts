import { type LessonProgress, maxStretches, type WatchNote } from "#contract/progress.ts";
import { isWatchedThrough } from "./numbers.ts";
import { type Watched, watchedSeconds, withStretch } from "./watched.ts";

/** What a student did with a lesson by one point in time. Times within the lesson in seconds. */
export interface ProgressNote {
  watched: Watched;
  /** Missing if nothing was played. */
  position?: number;
  /** Which video was played. Missing if nothing was played, or in a preview. */
  videoId?: string | undefined;
  /** What the student marked the lesson as. Missing if not marked. */
  isCompleted?: boolean;
  /** When the note was made, in milliseconds by this machine's clock. */
  at: number;
}

interface NotedLesson {
  lessonId: string;
  moduleId: string;
  /** Seconds. */
  duration: number;
}

/** Merges two notes: everything watched of the later video, the later position and the later mark. */
export function mergeNotes(one: ProgressNote, other: ProgressNote): ProgressNote {
  const [earlier, later] = other.at >= one.at ? [one, other] : [other, one];
  const merged = { ...earlier, ...later };
  const ofVideo = [one, other].filter(({ videoId }) => videoId === undefined || videoId === merged.videoId);
  return { ...merged, watched: ofVideo.flatMap(({ watched }) => watched).reduce(withStretch, [] as Watched) };
}

/**
 * The note in the contract's form. The server's clock is `ahead` milliseconds ahead of ours. Of too many stretches it
 * keeps the longest. The others were in earlier notes.
 */
export function toWatchNote(lessonId: string, { watched, at, ...rest }: ProgressNote, ahead: number): WatchNote {
  const longest = watched.toSorted((a, b) => b.to - b.from - (a.to - a.from)).slice(0, maxStretches);
  return {
    lessonId,
    // A mark alone claims nothing. An empty claim would reset the time that the server credits.
    ...(rest.position !== undefined && { watched: longest.map(({ from, to }): [number, number] => [from, to]) }),
    ...rest,
    at: new Date(at + ahead).toISOString(),
  };
}

/**
 * The list with a note added to its lesson's record: the page's own estimate until the server replies. Counts at least
 * what was watched here, and completes the lesson when nine tenths are reached.
 */
export function withNote(list: readonly LessonProgress[], lesson: NotedLesson, note: ProgressNote): LessonProgress[] {
  const { record, rest } = take(list, lesson);
  const before = record.coverage * lesson.duration;
  const covered = Math.max(before, Math.min(lesson.duration, watchedSeconds(note.watched)));
  const completes = !isWatchedThrough(before, lesson.duration) && isWatchedThrough(covered, lesson.duration);
  const noted = {
    ...record,
    watchTime: record.watchTime + covered - before,
    coverage: lesson.duration > 0 ? covered / lesson.duration : 0,
    position: Math.min(lesson.duration, note.position ?? record.position),
  };
  return [...rest, completes ? completed(noted, true) : noted];
}

/** The list with a lesson marked or unmarked, before the server replies. */
export function withCompletion(
  list: readonly LessonProgress[],
  lesson: Omit<NotedLesson, "duration">,
  isCompleted: boolean,
): LessonProgress[] {
  const { record, rest } = take(list, lesson);
  return [...rest, completed(record, isCompleted)];
}

/** The list with the server's record. Ignores a reply that is older than the current record. */
export function withRecord(list: readonly LessonProgress[], record: LessonProgress): LessonProgress[] {
  const before = list.find(({ lessonId }) => lessonId === record.lessonId);
  if (before && before.updatedAt > record.updatedAt) return [...list];
  // Only the list says whether the lesson has changed.
  const isChanged = before?.isChanged && { isChanged: before.isChanged };
  return [...list.filter((other) => other !== before), { ...isChanged, ...record }];
}

function completed(record: LessonProgress, isCompleted: boolean): LessonProgress {
  const completedAt = isCompleted ? (record.completedAt ?? new Date().toISOString()) : null;
  return { ...record, isCompleted, completedAt };
}

/** The lesson's record, or an empty one, and the other records. */
function take(list: readonly LessonProgress[], { lessonId, moduleId }: Omit<NotedLesson, "duration">) {
  const record = list.find((other) => other.lessonId === lessonId) ?? {
    lessonId,
    moduleId,
    isCompleted: false,
    watchTime: 0,
    coverage: 0,
    position: 0,
    completedAt: null,
    completedBy: null,
    // Older than any record of the server.
    updatedAt: new Date(0).toISOString(),
  };
  return { record, rest: list.filter((other) => other.lessonId !== lessonId) };
}
