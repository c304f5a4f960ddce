import { z } from "zod";
import { endpoint } from "../endpoint.ts";

const SpanFigures = z.object({
  from: z.iso.date(),
  to: z.iso.date().describe("The last day, included"),
  revenueCents: z.int().describe("US cents: charged minus refunded"),
  newSubscriptions: z.int(),
  lostSubscriptions: z.int(),
  declined: z.int().describe("People with a declined payment"),
});
export type SpanFigures = z.infer<typeof SpanFigures>;

const DueRenewals = z.object({
  count: z.int(),
  cents: z.int().nullable().describe("US cents of all of them; null for a role that may not see the academy's money"),
});

/** Each count is that of a list with the filter that the page links to. Null: the caller's role may not see it. */
export const Morning = z
  .object({
    money: z
      .object({
        today: SpanFigures,
        month: SpanFigures.describe("From the first of this month to today"),
        monthBefore: SpanFigures.describe("From the first of the month before up to the same day"),
      })
      .nullable()
      .describe("Days are those of the academy's time zone"),
    messages: z.int().nullable().describe("Those that nobody has answered"),
    questions: z.int().nullable().describe("Questions under lessons that nobody has answered, or that were reported"),
    declined: z
      .object({ count: z.int(), nextAttemptAt: z.iso.datetime().nullable().describe("Null: each needs another card") })
      .nullable()
      .describe("Subscriptions whose last payment was declined, until it is paid, cancelled or no longer tried"),
    drafts: z.int().nullable().describe("Changes that are not published"),
    reviews: z.int().nullable().describe("Lessons that are due for review"),
    withoutSummary: z.int().nullable().describe("1-on-1 sessions that were held and have no summary"),
    renewals: DueRenewals.nullable().describe("Due in the next 7 days"),
    ends: z.int().describe("People whose access ends in the next 30 days, and who pay no more"),
    sessions: z
      .object({ count: z.int(), nextAt: z.iso.datetime().nullable().describe("Of those that have not begun") })
      .nullable()
      .describe("1-on-1 sessions of today that are not cancelled"),
    groupSessions: z.int().nullable().describe("Group sessions of today that are not cancelled"),
  })
  .meta({ id: "Morning" });
export type Morning = z.infer<typeof Morning>;

export const getMorning = endpoint({
  method: "GET",
  path: "/api/admin/morning",
  summary: "What happened today and this month, what waits and what comes, as far as the caller's role may see it",
  permission: "people:read",
  reply: Morning,
});
