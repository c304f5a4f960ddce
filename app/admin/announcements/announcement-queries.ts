import { keepPreviousData, queryOptions, useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import {
  type Announcement,
  type Audience,
  deleteAnnouncement,
  getAudience,
  listAnnouncements,
  pauseAnnouncement,
  resumeAnnouncement,
  sendAnnouncement,
  stopAnnouncement,
  testAnnouncement,
} from "#contract/admin/announcements.ts";
import { type ActionWords, useAct } from "../act.ts";

const pollMilliseconds = 3000;

/** Polled while an announcement is being sent. */
export const announcementsQuery = queryOptions({
  queryKey: ["admin", "announcements"],
  queryFn: ({ signal }) => api(listAnnouncements, { signal }),
  refetchInterval: ({ state: { data } }) => (data?.some(({ state }) => state === "sending") ? pollMilliseconds : false),
});

export const audienceQuery = (audience: Audience, after: string | undefined) =>
  queryOptions({
    queryKey: ["admin", "audience", audience, after],
    queryFn: ({ signal }) => api(getAudience, { query: { audience, limit: 20, after }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export function useTest(id: string) {
  return useAct(() => api(testAnnouncement, { params: { id }, body: {} }), {
    done: ({ message }) => message,
    failed: "Failed to send the test",
  });
}

export function useDelete({ id, version }: Announcement, onDone: () => void) {
  const remove = () => api(deleteAnnouncement, { params: { id }, query: { version }, body: {} });
  return useAct(remove, { done: "Draft deleted", failed: "Failed to delete the draft" }, onDone);
}

export function useSend({ id, version }: Announcement, onDone: () => void) {
  const send = (recipients: number) =>
    api(sendAnnouncement, { params: { id }, query: { version }, body: { recipients } });
  return useAnnouncementAct(send, { done: "It goes out in a minute", failed: "Failed to send it" }, onDone);
}

const steps = {
  pause: { call: pauseAnnouncement, done: "Paused" },
  resume: { call: resumeAnnouncement, done: "Resumed" },
  stop: { call: stopAnnouncement, done: "Stopped" },
} as const;
export type Step = keyof typeof steps;

export function useStep(id: string, step: Step, onDone?: () => void) {
  const { call, done } = steps[step];
  const words = { done, failed: `Failed to ${step} it` };
  return useAnnouncementAct(() => api(call, { params: { id }, body: {} }), words, onDone);
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

function useAnnouncementAct<Input>(
  change: (input: Input) => Promise<Announcement>,
  words: ActionWords<Announcement>,
  onDone?: () => void,
) {
  const show = useShown();
  return useAct(change, words, (changed) => {
    show(changed);
    onDone?.();
  });
}
