import type { Lesson, Module } from "#contract/catalogue.ts";
import type { LessonProgress } from "#contract/progress.ts";

/** The part of a progress record that the numbers need. Times in seconds. */
export type LessonRecord = Pick<LessonProgress, "isCompleted" | "watchTime" | "position" | "updatedAt">;

/** By lesson id. Lessons that were never begun are absent. */
export type Records = ReadonlyMap<string, LessonRecord>;

export interface ProgressNumbers {
  lessonsDone: number;
  /** The lessons that the student can watch: unlocked and with a video. */
  lessonsTotal: number;
  /** 0 to 100, rounded down, so that 100 means every lesson. */
  percent: number;
  secondsWatched: number;
}

/** Lessons that count: unlocked for this student, and with a video. @internal */
export function countedLessons(modules: readonly Module[]): Lesson[] {
  return modules.flatMap((module) => module.lessons).filter((lesson) => lesson.isUnlocked && !lesson.comingSoon);
}

/** The total progress in these modules. */
export function progressOf(modules: readonly Module[], records: Records): ProgressNumbers {
  const lessons = countedLessons(modules);
  const lessonsDone = lessons.filter((lesson) => records.get(lesson.id)?.isCompleted).length;
  return {
    lessonsDone,
    lessonsTotal: lessons.length,
    percent: lessons.length === 0 ? 0 : Math.floor((lessonsDone * 100) / lessons.length),
    secondsWatched: lessons.reduce((sum, lesson) => sum + (records.get(lesson.id)?.watchTime ?? 0), 0),
  };
}

/** Modules with at least one lesson that the student may watch, or unlocked as a whole. */
export function accessibleModules(modules: readonly Module[]): Module[] {
  return modules.filter((module) => module.isUnlocked || module.lessons.some((lesson) => lesson.isUnlocked));
}

/** The lesson watched last, else the first one that can be watched. Null when there is none. */
export function lessonToContinue(modules: readonly Module[], records: Records): Lesson | null {
  const lessons = countedLessons(modules);
  const begun = lessons.filter((lesson) => records.has(lesson.id));
  const when = (lesson: Lesson) => Date.parse(records.get(lesson.id)?.updatedAt ?? "");
  return begun.toSorted((a, b) => when(b) - when(a))[0] ?? lessons[0] ?? null;
}

/** The next lesson after this one that the student can watch, or null. */
export function lessonAfter(modules: readonly Module[], lessonId: string): Lesson | null {
  const all = modules.flatMap((module) => module.lessons);
  const rest = new Set(all.slice(all.findIndex((lesson) => lesson.id === lessonId) + 1));
  return countedLessons(modules).find((lesson) => rest.has(lesson)) ?? null;
}

/** The next lesson of the course with a video, even if it is locked. Null after the last. */
export function lessonFollowing(
  modules: readonly Module[],
  lessonId: string,
): { lesson: Lesson; module: Module } | null {
  const all = modules.flatMap((module) => module.lessons.map((lesson) => ({ lesson, module })));
  const rest = all.slice(all.findIndex(({ lesson }) => lesson.id === lessonId) + 1);
  return rest.find(({ lesson }) => !lesson.comingSoon) ?? null;
}

/** The second at which playback begins: the last position, or 0 for a completed lesson or one at its end. */
export function resumeAt(record: LessonRecord | undefined, duration: number): number {
  if (!record || record.isCompleted || record.position >= duration - 1) return 0;
  return record.position;
}

/** Whether enough of the lesson was watched to complete it: nine tenths. */
export function isWatchedThrough(watchedSeconds: number, duration: number): boolean {
  return duration > 0 && watchedSeconds >= duration * 0.9;
}
