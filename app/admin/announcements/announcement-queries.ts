import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import {
  type Announcement,
  type AnnouncementText,
  getAnnouncement,
  testAnnouncement,
} from "#contract/admin/announcements.ts";
import { useAct } from "../act.ts";

const pollMilliseconds = 3000;

/** Polled while the announcement is being sent. */
export const announcementQuery = (id: string) =>
  queryOptions({
    ...queryOf(getAnnouncement, { params: { id } }),
    refetchInterval: ({ state: { data } }) => (data?.state === "running" ? pollMilliseconds : false),
  });

/** The query of the people in an audience. */
export const audienceQuery = ({ audience, toTeam }: Pick<AnnouncementText, "audience" | "toTeam">) => ({
  audience,
  toTeam: toTeam ? ("true" as const) : ("false" as const),
});

export function useTest(id: string) {
  return useAct(() => api(testAnnouncement, { params: { id }, body: {} }), {
    done: ({ message }) => message,
    failed: "Failed to send the test",
  });
}

/** Shows the server's reply. */
export function useShown() {
  const queryClient = useQueryClient();
  return (changed: Announcement) => queryClient.setQueryData(announcementQuery(changed.id).queryKey, changed);
}
