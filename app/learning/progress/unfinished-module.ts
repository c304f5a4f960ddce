import type { Module } from "#contract/catalogue.ts";

/** The first module that still has lessons to come for the student: locked, or not produced yet. Null when there is none. */
export function unfinishedModule(modules: readonly Module[]): Module | null {
  const isToCome = ({ isUnlocked, lessons }: Module) => !isUnlocked || lessons.some(({ comingSoon }) => comingSoon);
  return modules.find((module) => module.comingSoon || isToCome(module)) ?? null;
}
