import { queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { getInvitation } from "#contract/invitations.ts";

/** What waits for this person: the server says it to a confirmed address alone. */
export const invitationQuery = ({ emailVerified }: CurrentUser) =>
  queryOptions({
    queryKey: ["invitation", { emailVerified }],
    queryFn: ({ signal }) => api(getInvitation, { signal }),
    staleTime: 0,
  });
