import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { getCoachBooking, getCoachDesk } from "#contract/coaching/coach.ts";
import { coachingQuery } from "../coaching-queries.ts";

/** Asked before what is for coaches alone, so that nobody else's visit is refused. */
async function isCoach(client: QueryClient): Promise<boolean> {
  const overview = await client.fetchQuery(coachingQuery);
  return overview.isCoach && !overview.isBlocked;
}

/** The coach's own hours and sessions, null for everybody else; what may be done changes with the clock. */
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
