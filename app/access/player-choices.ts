import { queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { getPlayerChoices } from "#contract/player-choices.ts";

export const playerChoicesQuery = queryOptions({
  queryKey: ["player-choices"],
  queryFn: ({ signal }) => api(getPlayerChoices, { signal }),
});

/** Whether the user prefers reduced motion. If so, nothing starts to play automatically. */
export function asksForLessMotion(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
