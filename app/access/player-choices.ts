import { queryOf } from "#app/api/query.ts";
import { getPlayerChoices } from "#contract/player-choices.ts";

export const playerChoicesQuery = queryOf(getPlayerChoices);

/** Whether the user prefers reduced motion. If so, nothing starts to play automatically. */
export function asksForLessMotion(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
