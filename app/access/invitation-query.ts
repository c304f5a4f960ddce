import { queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { getInvitation } from "#contract/invitations.ts";

/** The user's open invitation. The server shows it only to a confirmed address. */
export const invitationQuery = ({ emailVerified }: CurrentUser) =>
  queryOptions({
    queryKey: ["invitation", { emailVerified }],
    queryFn: ({ signal }) => api(getInvitation, { signal }),
    staleTime: 0,
  });
