import { and, desc, eq, gte, inArray, isNull, lt, ne, type SQL, sql } from "drizzle-orm";
import type { Paging } from "#contract/admin/admin.ts";
import type { BookingFilter } from "#contract/admin/coaching.ts";
import { after, DAY } from "#server/base/clock.ts";
import { dateIn, startOfDate } from "#server/base/dates.ts";
import type { Db } from "#server/db/db.ts";
import { selectPage } from "#server/db/paging.ts";
import { users } from "#server/identity/tables.ts";
import { academyZone } from "#server/settings/settings.ts";
import { bookings, coaches, liveSessions } from "./tables.ts";

export type BookingWithPeople = Awaited<ReturnType<typeof listBookingRows>>["rows"][number];

/** The latest booked first: moving a session doesn't change its place, so that no page skips or repeats it. */
export async function listBookingRows(db: Db, { userId, show, ...page }: BookingFilter & Paging, now: Date) {
  const where = await found(db, { userId, show }, now);
  const part = { ...page, table: bookings, id: bookings.id, key: bookings.createdAt, where };
  // Chosen before their students are read, else the database reads all users.
  const chosen = await selectPage(db, db.select({ id: bookings.id }).from(bookings).$dynamic(), part);
  const ids = chosen.rows.map(({ id }) => id);
  const rows = await db
    .select({ booking: bookings, coachName: coaches.displayName, student: users })
    .from(bookings)
    .innerJoin(coaches, eq(coaches.userId, bookings.coachId))
    .innerJoin(users, eq(users.id, bookings.userId))
    .where(inArray(bookings.id, ids))
    .orderBy(desc(bookings.createdAt), desc(bookings.id));
  return { rows, total: chosen.total };
}

/** Sessions of the last days only: nobody writes the summary of an older one. */
const summaryWanted = 30 * DAY;

async function found(db: Db, { userId, show }: BookingFilter, now: Date): Promise<SQL | undefined> {
  const { state, startsAt, summary } = bookings;
  const shown = {
    today: and(await isToday(db, startsAt, now), ne(state, "cancelled")),
    "without-summary": and(eq(state, "held"), isNull(summary), gte(startsAt, after(now, -summaryWanted))),
  };
  return and(userId ? eq(bookings.userId, userId) : undefined, show && shown[show]);
}

/** The academy's day. */
async function isToday(db: Db, column: typeof bookings.startsAt | typeof liveSessions.startsAt, now: Date) {
  const zone = await academyZone(db);
  const today = dateIn(zone, now);
  return and(gte(column, startOfDate(zone, today)), lt(column, startOfDate(zone, today.add({ days: 1 }))));
}

/** What is held today, and how many sessions lack a summary: as many as the filters of the list find. */
export async function summarizeBookings(db: Db, now: Date) {
  const { startsAt } = bookings;
  const nextAt = sql<Date | null>`min(${startsAt}) filter (where ${startsAt} > ${now})`.mapWith(startsAt);
  const [[today], withoutSummary, groupSessions] = await Promise.all([
    db
      .select({ count: sql<number>`count(*)::int`, nextAt })
      .from(bookings)
      .where(await found(db, { show: "today" }, now)),
    db.$count(bookings, await found(db, { show: "without-summary" }, now)),
    db.$count(liveSessions, and(await isToday(db, liveSessions.startsAt, now), ne(liveSessions.state, "cancelled"))),
  ]);
  return { sessions: today ?? { count: 0, nextAt: null }, withoutSummary, groupSessions };
}
