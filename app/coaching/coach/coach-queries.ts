import { type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { type CoachBookingDetail, getCoachBooking, getCoachDesk } from "#contract/coaching/coach.ts";
import { coachingQuery } from "../coaching-queries.ts";

/** Checked before requests for coaches, so that other users' visits are not answered with a refusal. */
async function isCoach(client: QueryClient): Promise<boolean> {
  return (await client.fetchQuery(coachingQuery)).isCoach;
}

/** The coach's hours and sessions, null for everybody else. Refetched, because permitted actions change with time. */
export const deskQuery = queryOptions({
  queryKey: ["coach", "desk"],
  queryFn: async ({ client, signal }) => ((await isCoach(client)) ? api(getCoachDesk, { signal }) : null),
  staleTime: 30_000,
  refetchInterval: 60_000,
});

export const coachBookingQuery = (id: string) =>
  queryOptions({
    queryKey: ["coach", "booking", id],
    queryFn: async ({ client, signal }) =>
      (await isCoach(client)) ? api(getCoachBooking, { params: { id }, signal }) : null,
    staleTime: 30_000,
    refetchInterval: 60_000,
  });

/** Shows the server's reply, and refetches the coach's day. */
export function useShown(id: string) {
  const queryClient = useQueryClient();
  return (detail: CoachBookingDetail) => {
    queryClient.setQueryData(coachBookingQuery(id).queryKey, detail);
    void queryClient.invalidateQueries({ queryKey: deskQuery.queryKey });
  };
}
