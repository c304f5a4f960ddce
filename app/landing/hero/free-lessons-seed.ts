import type { QueryClient } from "@tanstack/react-query";
import { catalogue } from "#content/catalogue.ts";
import { chosenForHero, freeLessonsQuery } from "./free-lessons.ts";

/**
 * Puts the hero's lessons into the cache of a page that is being prerendered; the whole catalogue stays behind. Pictures
 * come after the page can be read: until then they would keep the headline waiting.
 */
export function seedFreeLessons(queryClient: QueryClient): void {
  const lessons = catalogue.flatMap((module) =>
    module.lessons.map(({ durationSeconds: duration, ...lesson }) => ({
      ...lesson,
      duration,
      comingSoon: module.comingSoon,
      thumbnail: null,
    })),
  );
  queryClient.setQueryData(freeLessonsQuery.queryKey, chosenForHero(lessons));
}
