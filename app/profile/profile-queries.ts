import { queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { getAnnouncementChoice } from "#contract/announcements.ts";
import { listSessions } from "#contract/identity/sessions.ts";
import { listPayments } from "#contract/purchases/receipts.ts";

/** The signed-in student's payments, newest first. Each has a receipt. */
export const paymentsQuery = queryOptions({
  queryKey: ["payments"],
  queryFn: ({ signal }) => api(listPayments, { signal }),
});

/** The user's sessions, this browser's first. Refetched on each visit. */
export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => api(listSessions, { signal }),
  staleTime: 0,
});

/** Refetched on each visit, because a link in an email may have changed it. */
export const announcementChoiceQuery = queryOptions({
  queryKey: ["announcement-choice"],
  queryFn: ({ signal }) => api(getAnnouncementChoice, { signal }),
  staleTime: 0,
});
