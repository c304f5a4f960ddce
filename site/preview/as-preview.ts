import type { Module } from "#contract/catalogue.ts";

/** The course as everyone may see it: lessons marked as free preview are open, the rest is locked. */
export function asPreview(modules: readonly Module[]): Module[] {
  return modules.map((module) => ({
    ...module,
    introVideo: null,
    isUnlocked: false,
    userTier: null,
    lessons: module.lessons.map((lesson) => ({ ...lesson, isUnlocked: lesson.freePreview })),
  }));
}
