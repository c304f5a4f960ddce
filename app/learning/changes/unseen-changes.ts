import { type QueryClient, useQuery } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { listUnseenChanges, seeChanges, type UnseenChange } from "#contract/unseen-changes.ts";

const unseenQuery = queryOf(listUnseenChanges);

/** What changed in lessons since the signed-in student began them. */
export function useUnseenChanges(lessonId: string): readonly UnseenChange[] {
  // Also undefined during hydration, when the reply may already be there.
  const { user } = useCurrentUser();
  const { data } = useQuery({ ...unseenQuery, enabled: Boolean(user) });
  return (user && data)?.filter((change) => change.lessonId === lessonId) ?? [];
}

/** Tells the server. Failing costs the student nothing: the note is there again next time. */
export function seeChange({ lessonId, id }: UnseenChange): void {
  void api(seeChanges, { params: { lessonId }, body: { changeId: id } }).catch(() => undefined);
}

/** Removes the marks of a lesson whose changes were seen. */
export function forgetChanges(queryClient: QueryClient, lessonId: string): void {
  queryClient.setQueryData(unseenQuery.queryKey, (all) => all?.filter((one) => one.lessonId !== lessonId));
}
