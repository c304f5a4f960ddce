import { queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { getUploadLimits, listResources } from "#contract/resources.ts";

/** All resources of the course, with the viewer's access. Modules and lessons show parts of this list. */
export const resourcesQuery = queryOptions({
  queryKey: ["resources"],
  queryFn: ({ signal }) => api(listResources, { query: {}, signal }),
});

export const uploadLimitsQuery = queryOptions({
  queryKey: ["upload-limits"],
  queryFn: ({ signal }) => api(getUploadLimits, { signal }),
});
