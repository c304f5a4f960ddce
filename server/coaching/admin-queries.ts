import { desc, eq, inArray } from "drizzle-orm";
import type { Paging } from "#contract/admin/admin.ts";
import type { Db } from "#server/db/db.ts";
import { selectPage } from "#server/db/paging.ts";
import { users } from "#server/identity/tables.ts";
import { bookings, coaches } from "./tables.ts";

export type BookingWithPeople = Awaited<ReturnType<typeof listBookingRows>>["rows"][number];

export interface BookingQuery extends Paging {
  readonly userId?: string | undefined;
}

/** The latest booked first: moving a session doesn't change its place, so that no page skips or repeats it. */
export async function listBookingRows(db: Db, { userId, ...page }: BookingQuery) {
  const where = userId === undefined ? undefined : eq(bookings.userId, userId);
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
