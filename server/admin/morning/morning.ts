import type { Temporal } from "temporal-polyfill";
import type { Morning, SpanFigures } from "#contract/admin/morning.ts";
import type { Money } from "#contract/admin/statistics.ts";
import type { Permission } from "#contract/permissions.ts";
import { sumDue, summarizeUnresolved } from "#server/admin/purchases/queries.ts";
import { describeMoney } from "#server/admin/statistics/money.ts";
import { sum } from "#server/admin/statistics/periods.ts";
import { countUserRows } from "#server/admin/users/queries.ts";
import { dateIn, startOfDate } from "#server/base/dates.ts";
import { countDrafts } from "#server/catalogue/content.ts";
import { countDueReviews } from "#server/catalogue/reviews.ts";
import { summarizeBookings } from "#server/coaching/administration.ts";
import { countContacts } from "#server/contact/administration.ts";
import type { Context } from "#server/context/context.ts";
import { type User, userMay } from "#server/identity/users.ts";
import { countDeclinedUsers } from "#server/people/filter/queries.ts";
import { countQuestionsToReview } from "#server/questions/administration.ts";
import { academyZone } from "#server/settings/settings.ts";

/** Only the parts that the actor's role may see. Counts are those of the lists, by their own filters. */
export async function describeMorning(ctx: Context, actor: User): Promise<Morning> {
  const { db } = ctx;
  const now = ctx.clock.now();
  const part = <Part>(permission: Permission, read: () => Promise<Part>): Promise<Part | null> =>
    userMay(ctx, actor, permission) ? read() : Promise.resolve(null);
  const [money, messages, questions, declined, drafts, reviews, bookings, due, ends] = await Promise.all([
    part("money:read", () => describeMonths(ctx, now)),
    part("messages:answer", () => countContacts(ctx, { state: "unanswered" })),
    part("questions:answer", () => countQuestionsToReview(db)),
    part("purchases:read", () => summarizeUnresolved(db)),
    part("content:write", () => countDrafts(db)),
    part("content:write", () => countDueReviews(ctx)),
    part("coaching:read", () => summarizeBookings(db, now)),
    part("purchases:read", () => sumDue(db, now)),
    countUserRows(db, { show: "ends-soon" }, now),
  ]);
  return {
    money,
    messages: messages?.total ?? null,
    questions,
    declined: declined && { ...declined, nextAttemptAt: declined.nextAttemptAt?.toISOString() ?? null },
    drafts,
    reviews,
    withoutSummary: bookings?.withoutSummary ?? null,
    renewals: due && { count: due.count, cents: money && due.cents },
    ends,
    sessions: bookings && { ...bookings.sessions, nextAt: bookings.sessions.nextAt?.toISOString() ?? null },
    groupSessions: bookings?.groupSessions ?? null,
  };
}

/** Today, and this month beside the one before, up to the same day. */
async function describeMonths(ctx: Context, now: Date): Promise<Morning["money"]> {
  const zone = await academyZone(ctx.db);
  const today = dateIn(zone, now);
  const month = today.with({ day: 1 });
  const monthBefore = month.subtract({ months: 1 });
  const money = await describeMoney(ctx, { by: "day", from: String(monthBefore), to: String(today) });
  const figures = async (from: Temporal.PlainDate, last: Temporal.PlainDate): Promise<SpanFigures> => ({
    ...addUp(money, String(from), String(last)),
    declined: await countDeclinedUsers(ctx.db, {
      from: startOfDate(zone, from),
      end: startOfDate(zone, last.add({ days: 1 })),
    }),
  });
  const [ofToday, ofMonth, ofMonthBefore] = await Promise.all([
    figures(today, today),
    figures(month, today),
    figures(monthBefore, today.subtract({ months: 1 })),
  ]);
  return { today: ofToday, month: ofMonth, monthBefore: ofMonthBefore };
}

function addUp({ periods }: Money, from: string, to: string): Omit<SpanFigures, "declined"> {
  const within = periods.filter(({ start }) => from <= start && start <= to);
  return {
    from,
    to,
    revenueCents: within.reduce((cents, { revenue }) => cents + Math.round(revenue * 100), 0),
    newSubscriptions: sum(within, "newSubscriptions"),
    lostSubscriptions: sum(within, "lostSubscriptions"),
  };
}
