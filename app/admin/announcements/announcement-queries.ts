import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import {
  type Announcement,
  type AnnouncementText,
  getAnnouncement,
  getAudience,
  testAnnouncement,
} from "#contract/admin/announcements.ts";
import { useAct } from "../act.ts";

const pollMilliseconds = 3000;

export const isChanging = ({ state }: Announcement) => state === "scheduled" || state === "running";

/** Polled while the announcement is scheduled or being sent. */
export const announcementQuery = (id: string) =>
  queryOptions({
    ...queryOf(getAnnouncement, { params: { id } }),
    refetchInterval: ({ state: { data } }) => (data && isChanging(data) ? pollMilliseconds : false),
  });

/** The query of the people in an audience. */
export const audienceQuery = ({ audience, toTeam }: Pick<AnnouncementText, "audience" | "toTeam">) => ({
  audience,
  toTeam: toTeam ? ("true" as const) : ("false" as const),
});

/** How many people would get it now, once they are counted. The same call as that of the panel that lists them. */
export function useRecipientCount(of: Pick<AnnouncementText, "audience" | "toTeam">): number | null {
  const { data } = useQuery({ ...queryOf(getAudience, { query: { ...audienceQuery(of), limit: 20 } }), staleTime: 0 });
  return data?.total ?? null;
}

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
