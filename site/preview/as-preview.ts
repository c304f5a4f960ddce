import type { Module } from "#contract/catalogue.ts";

/** The course as everybody may see it: free preview lessons are unlocked, all others locked. */
export function asPreview(modules: readonly Module[]): Module[] {
  return modules.map((module) => ({
    ...module,
    introVideo: null,
    isUnlocked: false,
    userTier: null,
    lessons: module.lessons.map((lesson) => ({ ...lesson, isUnlocked: lesson.freePreview })),
  }));
}
