import { freeLessonIds } from "#content/copy/landing.ts";
import type { Lesson, Module } from "#contract/catalogue.ts";

/** `thumbnail` is null without an image. */
export type FreeLesson = Pick<Lesson, "id" | "title" | "duration" | "thumbnail">;

/** The hero's free lessons. If one of them is no longer free, others follow in course order. */
export function chosenForHero(catalogue: readonly Module[]): FreeLesson[] {
  const isNamed = ({ id }: FreeLesson) => freeLessonIds.includes(id);
  return catalogue
    .flatMap(({ lessons }) => lessons)
    .filter(({ kind, freePreview, comingSoon }) => kind === "video" && freePreview && !comingSoon)
    .sort((one, other) => Number(isNamed(other)) - Number(isNamed(one)))
    .slice(0, freeLessonIds.length)
    .map(({ id, title, duration, thumbnail }) => ({ id, title, duration, thumbnail }));
}
