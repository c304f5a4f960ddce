import { queryOptions } from "@tanstack/react-query";
import { queryOf } from "#app/api/query.ts";
import { getAnnouncementChoice } from "#contract/announcements.ts";
import { listSessions } from "#contract/identity/sessions.ts";
import { listPayments } from "#contract/purchases/receipts.ts";

/** The signed-in student's payments, newest first. Each has a receipt. */
export const paymentsQuery = queryOf(listPayments);

/** The user's sessions, this browser's first. Refetched on each visit. */
export const sessionsQuery = queryOptions({
  ...queryOf(listSessions),
  staleTime: 0,
});

/** Refetched on each visit, because a link in an email may have changed it. */
export const announcementChoiceQuery = queryOptions({
  ...queryOf(getAnnouncementChoice),
  staleTime: 0,
});
