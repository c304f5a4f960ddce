import { queryOptions } from "@tanstack/react-query";
import { queryOf } from "#app/api/query.ts";
import { getAnnouncementChoice } from "#contract/announcements.ts";
import { listSessions } from "#contract/identity/sessions.ts";
import { listPayments } from "#contract/purchases/receipts.ts";

/** The signed-in student's payments, newest first. Each has a receipt. */
export const paymentsQuery = queryOf(listPayments);

/** Refetches on each visit, but not what the document has brought along. */
const staleTime = 2_000;

/** The user's sessions, this browser's first. */
export const sessionsQuery = queryOptions({ ...queryOf(listSessions), staleTime });

/** A link in an email may have changed it. */
export const announcementChoiceQuery = queryOptions({ ...queryOf(getAnnouncementChoice), staleTime });
