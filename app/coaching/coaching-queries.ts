import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { getBooking, getCoaching, getRecording, getSlots, setTimeZone } from "#contract/coaching/coaching.ts";

/** What the student has of coaching. What may be done changes with the clock, so it is asked for anew with each visit. */
export const coachingQuery = queryOptions({
  queryKey: ["coaching", "overview"],
  queryFn: ({ signal }) => api(getCoaching, { signal }),
  staleTime: 30_000,
  refetchInterval: 60_000,
});

/** Every free time; others book too, so that it does not stay true for long. */
export const slotsQuery = queryOptions({
  queryKey: ["coaching", "slots"],
  queryFn: ({ signal }) => api(getSlots, { signal }),
  staleTime: 30_000,
});

export const bookingQuery = (id: string) =>
  queryOptions({
    queryKey: ["coaching", "booking", id],
    queryFn: ({ signal }) => api(getBooking, { params: { id }, signal }),
    staleTime: 30_000,
    refetchInterval: 60_000,
  });

export const recordingQuery = (id: string) =>
  queryOptions({
    queryKey: ["coaching", "recording", id],
    queryFn: ({ signal }) => api(getRecording, { params: { id }, signal }),
    gcTime: 0,
  });

/** What is on screen of coaching is fetched anew. */
export function useRefreshCoaching(): () => void {
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: ["coaching"] });
}

/** The zone of this browser. */
export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

/** Keeps the time zone that the person chose. */
export function useZoneChange() {
  const refresh = useRefreshCoaching();
  return useMutation({
    mutationFn: (timeZone: string) => api(setTimeZone, { body: { timeZone } }),
    onSettled: refresh,
  });
}
