import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, speakFor } from "#app/api/api.ts";
import { nullWhenSignedOut } from "#app/api/query.ts";
import { type CurrentUser, getCurrentUser } from "#contract/identity/identity.ts";
import { useHydrated } from "#ui/browser-state.ts";

/** The server marks a document that it gave to a browser with a session cookie. */
export function mayBeSignedIn(): boolean {
  return document.documentElement.hasAttribute("data-session");
}

/** The signed-in person, or null for a visitor, who is not worth a request; asked again after five minutes. */
export const currentUserQuery = queryOptions({
  queryKey: ["current-user"],
  queryFn: async ({ signal }): Promise<CurrentUser | null> => {
    const user = mayBeSignedIn() ? await nullWhenSignedOut(api(getCurrentUser, { signal })) : null;
    if (user) speakFor(user.id);
    return user;
  },
  staleTime: 5 * 60_000,
});

/**
 * `user` is undefined until the server has answered, and stays so when it cannot be asked; null for a visitor. The answer
 * may be there before a part of the page is hydrated, which must then still match the HTML that came.
 */
export function useCurrentUser(): { user: CurrentUser | null | undefined; isPending: boolean; error: Error | null } {
  const isHydrated = useHydrated();
  const { data, isPending, error } = useQuery(currentUserQuery);
  return isHydrated ? { user: data, isPending, error } : { user: undefined, isPending: true, error: null };
}
