import { queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { getUploadLimits, listResources } from "#contract/resources.ts";

/** Every resource of the course as the viewer may use it; the lists of modules and lessons are parts of it. */
export const resourcesQuery = queryOptions({
  queryKey: ["resources"],
  queryFn: ({ signal }) => api(listResources, { query: {}, signal }),
});

export const uploadLimitsQuery = queryOptions({
  queryKey: ["upload-limits"],
  queryFn: ({ signal }) => api(getUploadLimits, { signal }),
});
