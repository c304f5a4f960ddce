import { keepPreviousData, queryOptions, useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import {
  type Announcement,
  type Audience,
  getAudience,
  listAnnouncements,
  testAnnouncement,
} from "#contract/admin/announcements.ts";
import { useAct } from "../act.ts";

const pollMilliseconds = 3000;

/** Polled while an announcement is being sent. */
export const announcementsQuery = queryOptions({
  ...queryOf(listAnnouncements),
  refetchInterval: ({ state: { data } }) => (data?.some(({ state }) => state === "running") ? pollMilliseconds : false),
});

export const audienceQuery = (audience: Audience, after: string | undefined) =>
  queryOptions({
    ...queryOf(getAudience, { query: { audience, limit: 20, after } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export function useTest(id: string) {
  return useAct(() => api(testAnnouncement, { params: { id }, body: {} }), {
    done: ({ message }) => message,
    failed: "Failed to send the test",
  });
}

/** Shows the server's reply in the list. */
export function useShown() {
  const queryClient = useQueryClient();
  return (changed: Announcement) =>
    queryClient.setQueryData(announcementsQuery.queryKey, (list) => {
      if (!list) return list;
      return [changed, ...list.filter(({ id }) => id !== changed.id)].toSorted((a, b) =>
        b.createdAt.localeCompare(a.createdAt),
      );
    });
}
