import { href } from "#contract/addresses.ts";

/** What a user's page knows of the list that led to it. */
export interface CameFrom {
  /** The query string of the list's URL. */
  list: string;
  /** The state of the list's history entry, such as the selection. */
  kept: unknown;
}

/** The user list as it was when it led to a page with this state: its URL and its history state. */
export function listBefore(state: Partial<CameFrom> | null): { to: string; state: unknown } {
  // Without `list`, the page's own lists have written the state.
  const to = state?.list === undefined ? href.admin("users") : `/admin${state.list}`;
  return { to, state: state?.kept ?? null };
}
