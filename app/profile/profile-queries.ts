import { queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { getAnnouncementChoice } from "#contract/announcements.ts";
import { listSessions } from "#contract/identity/sessions.ts";
import { listPayments } from "#contract/purchases/receipts.ts";

/** What the signed-in student paid, newest first; each has a receipt. */
export const paymentsQuery = queryOptions({
  queryKey: ["payments"],
  queryFn: ({ signal }) => api(listPayments, { signal }),
});

/** Where the person is signed in, this browser first; asked for with each visit. */
export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => api(listSessions, { signal }),
  staleTime: 0,
});

/** Asked for with each visit: a link in a mail may have changed it. */
export const announcementChoiceQuery = queryOptions({
  queryKey: ["announcement-choice"],
  queryFn: ({ signal }) => api(getAnnouncementChoice, { signal }),
  staleTime: 0,
});
