import { useQuery } from "@tanstack/react-query";
import { queryOf } from "#app/api/query.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { listUnseenChanges, type UnseenChange } from "#contract/lesson-changes.ts";

export const unseenQuery = queryOf(listUnseenChanges);

/** What changed in lessons since the signed-in student began them. */
export function useUnseenChanges(lessonId: string): readonly UnseenChange[] {
  // Also undefined during hydration, when the reply may already be there.
  const { user } = useCurrentUser();
  const { data } = useQuery({ ...unseenQuery, enabled: Boolean(user) });
  return (user && data)?.filter((change) => change.lessonId === lessonId) ?? [];
}
