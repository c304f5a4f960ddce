import type { Morning, SpanFigures } from "#contract/admin/morning.ts";
import type { Money } from "#contract/admin/statistics.ts";
import { type Permission, roleMay } from "#contract/permissions.ts";
import { sumDue, summarizeDeclined } from "#server/admin/purchases/queries.ts";
import { describeMoney } from "#server/admin/statistics/money.ts";
import { isoDay, startOfPeriod, sum } from "#server/admin/statistics/periods.ts";
import { countDeclinedUsers, countUserRows } from "#server/admin/users/queries.ts";
import { after, DAY } from "#server/base/clock.ts";
import { countDrafts } from "#server/catalogue/content.ts";
import { summarizeBookings } from "#server/coaching/administration.ts";
import { countContacts } from "#server/contact/administration.ts";
import type { Context } from "#server/context/context.ts";
import { roleOf, type User } from "#server/identity/users.ts";
import { countQueue } from "#server/questions/administration.ts";

/** Only the parts that the actor's role may see. Counts are those of the lists, by their own filters. */
export async function describeMorning(ctx: Context, actor: User): Promise<Morning> {
  const { db } = ctx;
  const now = ctx.clock.now();
  const role = roleOf(ctx, actor);
  const part = <Part>(permission: Permission, read: () => Promise<Part>): Promise<Part | null> =>
    roleMay(role, permission) ? read() : Promise.resolve(null);
  const [money, messages, questions, declined, drafts, bookings, due, ends] = await Promise.all([
    part("money:read", () => describeMonths(ctx, now)),
    part("messages:answer", () => countContacts(ctx, { state: "unanswered" })),
    part("questions:answer", () => countQueue(ctx, { show: "unanswered" })),
    part("purchases:read", () => summarizeDeclined(db)),
    part("content:write", () => countDrafts(db)),
    part("coaching:read", () => summarizeBookings(db, now)),
    part("purchases:read", () => sumDue(db, now)),
    countUserRows(db, { show: "ends-soon" }, now),
  ]);
  return {
    money,
    messages: messages?.total ?? null,
    questions: questions?.total ?? null,
    declined: declined && { ...declined, nextAttemptAt: declined.nextAttemptAt?.toISOString() ?? null },
    drafts,
    withoutSummary: bookings?.withoutSummary ?? null,
    renewals: due && { count: due.count, cents: money && due.cents },
    ends,
    sessions: bookings && { ...bookings.sessions, nextAt: bookings.sessions.nextAt?.toISOString() ?? null },
    groupSessions: bookings?.groupSessions ?? null,
  };
}

/** Today, and this month beside the one before, up to the same day. */
async function describeMonths(ctx: Context, now: Date): Promise<Morning["money"]> {
  const today = startOfPeriod("day", now);
  const month = startOfPeriod("month", now);
  const monthBefore = startOfPeriod("month", after(month, -DAY));
  const lastBefore = after(
    monthBefore,
    Math.min(today.getTime() - month.getTime(), month.getTime() - monthBefore.getTime() - DAY),
  );
  const money = await describeMoney(ctx, { by: "day", from: isoDay(monthBefore), to: isoDay(today) });
  const figures = async (from: Date, last: Date): Promise<SpanFigures> => ({
    ...addUp(money, isoDay(from), isoDay(last)),
    declined: await countDeclinedUsers(ctx.db, { from, end: after(last, DAY) }),
  });
  const [ofToday, ofMonth, ofMonthBefore] = await Promise.all([
    figures(today, today),
    figures(month, today),
    figures(monthBefore, lastBefore),
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
