import type { Lesson, Module } from "#contract/catalogue.ts";
import type { LessonProgress } from "#contract/progress.ts";
import type { Tier } from "#contract/tiers.ts";

/** What the numbers need to know about a lesson that was begun. Times in seconds. */
export type LessonRecord = Pick<LessonProgress, "isCompleted" | "watchTime" | "position" | "updatedAt">;

/** By lesson id; lessons that were not begun are absent. */
export type Records = ReadonlyMap<string, LessonRecord>;

export interface ProgressNumbers {
  lessonsDone: number;
  /** Lessons that can be watched: open to this student and with a video. */
  lessonsTotal: number;
  /** 0 to 100, rounded down, so that 100 means every lesson. */
  percent: number;
  secondsWatched: number;
}

/** Lessons that count: open to this student, and with a video. @internal */
export function countedLessons(modules: readonly Module[]): Lesson[] {
  return modules.flatMap((module) => module.lessons).filter((lesson) => lesson.isUnlocked && !lesson.comingSoon);
}

/** The progress over these modules; of one module when there is one. */
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

/** Modules in which there is something for this student. */
export function accessibleModules(modules: readonly Module[]): Module[] {
  return modules.filter((module) => module.isUnlocked || module.lessons.some((lesson) => lesson.isUnlocked));
}

/** Where the student stopped last, else the first lesson that can be watched; null when there is none. */
export function lessonToContinue(modules: readonly Module[], records: Records): Lesson | null {
  const lessons = countedLessons(modules);
  const begun = lessons.filter((lesson) => records.has(lesson.id));
  const when = (lesson: Lesson) => Date.parse(records.get(lesson.id)?.updatedAt ?? "");
  return begun.toSorted((a, b) => when(b) - when(a))[0] ?? lessons[0] ?? null;
}

/** The next lesson that can be watched after this one, or null. */
export function lessonAfter(modules: readonly Module[], lessonId: string): Lesson | null {
  const all = modules.flatMap((module) => module.lessons);
  const rest = new Set(all.slice(all.findIndex((lesson) => lesson.id === lessonId) + 1));
  return countedLessons(modules).find((lesson) => rest.has(lesson)) ?? null;
}

/** The lesson that follows in the course, also one that this student may not watch; null after the last with a video. */
export function lessonFollowing(
  modules: readonly Module[],
  lessonId: string,
): { lesson: Lesson; module: Module } | null {
  const all = modules.flatMap((module) => module.lessons.map((lesson) => ({ lesson, module })));
  const rest = all.slice(all.findIndex(({ lesson }) => lesson.id === lessonId) + 1);
  return rest.find(({ lesson }) => !lesson.comingSoon) ?? null;
}

/** Seconds at which a lesson begins to play: where it was left, or its start when it was finished or hardly begun. */
export function resumeAt(record: LessonRecord | undefined, duration: number): number {
  if (!record || record.isCompleted || record.position >= duration - 1) return 0;
  return record.position;
}

/** Whether so much of the lesson was watched that it counts as done. */
export function isWatchedThrough(watchedSeconds: number, duration: number): boolean {
  return duration > 0 && watchedSeconds >= duration * 0.9;
}

/** What a tier opens, in words. */
export const tierOpensText: Readonly<Record<Tier, string>> = {
  vip: "Full access to all content",
  premium: "Modules 1-4",
  basic: "Modules 1-3",
};
