import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { getBooking, getCoaching, getRecording, getSlots, setTimeZone } from "#contract/coaching/coaching.ts";
import { knownZone } from "#contract/coaching/times.ts";

/** The student's coaching. Refetched, because permitted actions change with time. */
export const coachingQuery = queryOptions({
  ...queryOf(getCoaching),
  staleTime: 30_000,
  refetchInterval: 60_000,
});

/** All free times. Goes stale quickly, because other students book too. */
export const slotsQuery = queryOptions({
  ...queryOf(getSlots),
  staleTime: 30_000,
});

/** Whether the free times are known, and there are none. */
export function useHasNoTimes(isEnabled = true): boolean {
  const { data } = useQuery({ ...slotsQuery, enabled: isEnabled });
  return isEnabled && (data?.coaches.every(({ startsAt }) => startsAt.length === 0) ?? false);
}

export const bookingQuery = (id: string) =>
  queryOptions({
    ...queryOf(getBooking, { params: { id } }),
    staleTime: 30_000,
    refetchInterval: 60_000,
  });

export const recordingQuery = (id: string) =>
  queryOptions({
    ...queryOf(getRecording, { params: { id } }),
    gcTime: 0,
  });

/** Returns a function that refetches all coaching data on the page. */
export function useRefreshCoaching(): () => void {
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: ["coaching"] });
}

/** This browser's time zone. Null when it cannot tell. */
export function browserZone(): string | null {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return knownZone(timeZone) === timeZone ? timeZone : null;
}

/** Saves the time zone that the user chose. */
export function useZoneChange() {
  const refresh = useRefreshCoaching();
  return useMutation({
    mutationFn: (timeZone: string) => api(setTimeZone, { body: { timeZone } }),
    onSettled: refresh,
  });
}
