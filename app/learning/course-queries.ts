import { queryOptions } from "@tanstack/react-query";
import { queryOf } from "#app/api/query.ts";
import { getIntroPlayback, getPlayback, searchCatalogue, type VideoPlayback } from "#contract/catalogue.ts";
import { listProgress } from "#contract/progress.ts";

export const progressQuery = queryOf(listProgress);

/** In milliseconds. The server's signed URLs are valid for at least 15 minutes. */
const signedUrlMilliseconds = 10 * 60_000;

/** A lesson's playback URL. A signed URL is refetched before it expires. */
export function playbackQuery(lessonId: string) {
  return queryOptions({
    ...queryOf(getPlayback, { params: { lessonId } }),
    staleTime: ({ state: { data } }) => goodFor(data),
  });
}

/** The playback URL of a module's introduction. */
export function introPlaybackQuery(moduleId: string) {
  return queryOptions({
    ...queryOf(getIntroPlayback, { params: { moduleId } }),
    staleTime: ({ state: { data } }) => goodFor(data),
  });
}

function goodFor(playback: VideoPlayback | undefined): number {
  return playback && "expiresAt" in playback && playback.expiresAt ? signedUrlMilliseconds : Number.POSITIVE_INFINITY;
}

/** Lessons that contain these words. */
export function searchQuery(words: string) {
  return queryOf(searchCatalogue, { query: { q: words } });
}
