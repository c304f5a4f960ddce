import { useQuery } from "@tanstack/react-query";
import { queryOf } from "#app/api/query.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { getCheck, listChecks } from "#contract/checks.ts";

export const checksQuery = queryOf(listChecks);

export const checkQuery = (lessonId: string) => queryOf(getCheck, { params: { lessonId } });

/** Whether the signed-in student has passed the check of a lesson; undefined without one. */
export function usePassedChecks(): ReadonlyMap<string, boolean> {
  // Also undefined during hydration, when the reply may already be there.
  const { user } = useCurrentUser();
  const { data } = useQuery({ ...checksQuery, enabled: Boolean(user) });
  return new Map((user && data)?.map(({ lessonId, isPassed }) => [lessonId, isPassed]));
}
