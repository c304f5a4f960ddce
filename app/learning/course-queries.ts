import { queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { getPlayback, searchCatalogue } from "#contract/catalogue.ts";
import { listProgress } from "#contract/progress.ts";

export const progressQuery = queryOptions({
  queryKey: ["progress"],
  queryFn: ({ signal }) => api(listProgress, { signal }),
});

/** Milliseconds; the server signs addresses for a quarter of an hour at least. */
const signedAddressLasts = 10 * 60_000;

/** Where a lesson plays from; an address that is signed is asked for anew before it expires. */
export function playbackQuery(lessonId: string) {
  return queryOptions({
    queryKey: ["playback", lessonId],
    queryFn: ({ signal }) => api(getPlayback, { params: { lessonId }, signal }),
    staleTime: ({ state: { data } }) =>
      data && "expiresAt" in data && data.expiresAt ? signedAddressLasts : Number.POSITIVE_INFINITY,
  });
}

/** Lessons that hold these words. */
export function searchQuery(words: string) {
  return queryOptions({
    queryKey: ["search", words],
    queryFn: ({ signal }) => api(searchCatalogue, { query: { q: words }, signal }),
  });
}
