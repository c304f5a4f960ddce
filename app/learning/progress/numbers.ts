import type { CourseAccess } from "#contract/access.ts";
import type { Lesson, Module } from "#contract/catalogue.ts";
import { countedLessons, type Records } from "#contract/lesson-start.ts";
import { type Tier, tierOpens } from "#contract/tiers.ts";

export interface ProgressNumbers {
  lessonsDone: number;
  /** The lessons that the student can watch: unlocked and with a video. */
  lessonsTotal: number;
  /** 0 to 100, rounded down, so that 100 means every lesson. */
  percent: number;
  secondsWatched: number;
}

/** Whether the server takes progress of this lesson. Of the team, it takes what a plan of their own opens. */
export function isCounted(
  { source }: Pick<CourseAccess, "source">,
  ownTier: Tier | null,
  lesson: Lesson,
  module: Module | undefined,
): boolean {
  if (source !== "team") return true;
  return ownTier !== null && (lesson.freePreview || (module !== undefined && tierOpens(ownTier, module.requiredTier)));
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

/** Whether enough of the lesson was watched to complete it: nine tenths. */
export function isWatchedThrough(watchedSeconds: number, duration: number): boolean {
  return duration > 0 && watchedSeconds >= duration * 0.9;
}
