import { queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { getTeam } from "#contract/admin/team.ts";

export const teamQuery = queryOptions({
  queryKey: ["admin", "team"],
  queryFn: ({ signal }) => api(getTeam, { signal }),
});
