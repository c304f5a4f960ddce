import type { QueryClient } from "@tanstack/react-query";
import { catalogue } from "#content/catalogue.ts";
import { freeLessonsQuery, inHeroOrder } from "./free-lessons.ts";

/** Puts the hero's lessons into the cache of a page that is being prerendered; the whole catalogue stays behind. */
export function seedFreeLessons(queryClient: QueryClient): void {
  const lessons = catalogue
    .flatMap((module) => module.lessons)
    .map((lesson) => ({ ...lesson, duration: lesson.durationSeconds }));
  queryClient.setQueryData(freeLessonsQuery.queryKey, inHeroOrder(lessons));
}
