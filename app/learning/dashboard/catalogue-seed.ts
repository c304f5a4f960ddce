import type { QueryClient } from "@tanstack/react-query";
import { catalogue } from "#content/catalogue.ts";
import { catalogueQuery } from "../course-queries.ts";

/** Puts the seed's course into the cache of a page that is being prerendered, as a visitor may see it. */
export function seedCatalogue(queryClient: QueryClient): void {
  queryClient.setQueryData(
    catalogueQuery.queryKey,
    catalogue.map((module) => ({
      ...module,
      isUnlocked: false,
      userTier: null,
      lessons: module.lessons.map(({ durationSeconds: duration, videoId, ...lesson }) => ({
        ...lesson,
        duration,
        videoId: lesson.freePreview ? videoId : null,
        thumbnail: lesson.freePreview ? `/api/lessons/${lesson.id}/poster` : null,
        comingSoon: module.comingSoon,
        isUnlocked: lesson.freePreview,
      })),
    })),
  );
}
