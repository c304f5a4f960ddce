import { queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { getCourseAccess } from "#contract/access.ts";

/** Whether the signed-in student may use the course. Purchases invalidate it. */
export const courseAccessQuery = queryOptions({
  queryKey: ["course-access"],
  queryFn: ({ signal }) => api(getCourseAccess, { signal }),
});
