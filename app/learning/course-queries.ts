import { queryOptions } from "@tanstack/react-query";
import { getCourseAccess } from "#contract/access.ts";
import { getCatalogue, getPlayback } from "#contract/catalogue.ts";
import { listProgress } from "#contract/progress.ts";
import { api } from "../api.ts";

/** Whether the signed-in student may use the course; invalidated after a purchase. */
export const courseAccessQuery = queryOptions({
  queryKey: ["course-access"],
  queryFn: ({ signal }) => api(getCourseAccess, { signal }),
});

/** Modules and lessons as the viewer may use them. */
export const catalogueQuery = queryOptions({
  queryKey: ["catalogue"],
  queryFn: ({ signal }) => api(getCatalogue, { signal }),
});

export const progressQuery = queryOptions({
  queryKey: ["progress"],
  queryFn: ({ signal }) => api(listProgress, { signal }),
});

/** Where a lesson plays from. Forgotten with the player: such an address may be good for a while only. */
export function playbackQuery(lessonId: string) {
  return queryOptions({
    queryKey: ["playback", lessonId],
    queryFn: ({ signal }) => api(getPlayback, { params: { lessonId }, signal }),
    gcTime: 0,
  });
}
