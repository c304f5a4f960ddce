import { queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { getCoachingAdministration, getCoachingAhead, getStudentCoaching } from "#contract/admin/coaching.ts";

export const coachingAdministrationQuery = queryOptions({
  queryKey: ["admin", "coaching"],
  queryFn: ({ signal }) => api(getCoachingAdministration, { signal }),
});

export const studentCoachingQuery = (userId: string) =>
  queryOptions({
    queryKey: ["admin", "user", userId, "coaching"],
    queryFn: ({ signal }) => api(getStudentCoaching, { params: { id: userId }, signal }),
  });

export const coachingAheadQuery = queryOptions({
  queryKey: ["admin", "coaching-ahead"],
  queryFn: ({ signal }) => api(getCoachingAhead, { signal }),
});
