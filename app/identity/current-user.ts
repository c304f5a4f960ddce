import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, speakFor } from "#app/api/api.ts";
import { nullWhenSignedOut } from "#app/api/query.ts";
import { type CurrentUser, getCurrentUser } from "#contract/identity/identity.ts";
import { useHydrated } from "#ui/browser-state.ts";

/** The server marks documents that it sent to a browser with a session cookie. */
export function mayBeSignedIn(): boolean {
  return document.documentElement.hasAttribute("data-session");
}

/**
 * The signed-in user, or null for a visitor, which needs no request. Refetched after five minutes. Fails when the
 * sign-in of a known user has ended, so that the page stays: the user may be typing.
 */
export const currentUserQuery = queryOptions({
  queryKey: ["current-user"],
  queryFn: async ({ signal, client, queryKey }): Promise<CurrentUser | null> => {
    if (!mayBeSignedIn()) return null;
    const reply = api(getCurrentUser, { signal });
    const user = client.getQueryData(queryKey) ? await reply : await nullWhenSignedOut(reply);
    if (user) speakFor(user.id);
    return user;
  },
  staleTime: 5 * 60_000,
});

/**
 * `user` is null for a visitor, and undefined until the server has answered or when it is unreachable. It also stays
 * undefined during hydration, even when the reply is already there, so that the first render matches the server's HTML.
 */
export function useCurrentUser(): { user: CurrentUser | null | undefined; isPending: boolean; error: Error | null } {
  const isHydrated = useHydrated();
  const { data, isPending, error } = useQuery(currentUserQuery);
  return isHydrated ? { user: data, isPending, error } : { user: undefined, isPending: true, error: null };
}

/** Whether an administrator sees the academy as this student. Only hides: the server refuses what they may not do. */
export function useIsSeen(): boolean {
  const { user } = useCurrentUser();
  return user != null && user.seenForSeconds !== null;
}

/** First and last name, as far as known, else the email address. */
export function fullNameOf({ firstName, lastName, email }: CurrentUser): string {
  return [firstName, lastName].filter(Boolean).join(" ") || email;
}
