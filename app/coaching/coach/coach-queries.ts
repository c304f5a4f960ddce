import { queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { getCoachBooking, getCoachDesk } from "#contract/coaching/coach.ts";

/** The coach's own hours and sessions; what may be done changes with the clock. */
export const deskQuery = queryOptions({
  queryKey: ["coach", "desk"],
  queryFn: ({ signal }) => api(getCoachDesk, { signal }),
  staleTime: 30_000,
  refetchInterval: 60_000,
});

export const coachBookingQuery = (id: string) =>
  queryOptions({
    queryKey: ["coach", "booking", id],
    queryFn: ({ signal }) => api(getCoachBooking, { params: { id }, signal }),
    staleTime: 30_000,
    refetchInterval: 60_000,
  });
