import { queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { getCommunities } from "#contract/communities.ts";

/** The students' communities and chat. */
export const communitiesQuery = queryOptions({
  queryKey: ["communities"],
  queryFn: ({ signal }) => api(getCommunities, { signal }),
});
