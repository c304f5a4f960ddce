import { queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { getCommunities } from "#contract/communities.ts";

/** Where students meet. */
export const communitiesQuery = queryOptions({
  queryKey: ["communities"],
  queryFn: ({ signal }) => api(getCommunities, { signal }),
});
