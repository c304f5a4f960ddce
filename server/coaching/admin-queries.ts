import { and, desc, eq, gt, inArray } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { users } from "#server/identity/tables.ts";
import { bookings, coaches } from "./tables.ts";

export type BookingWithPeople = Awaited<ReturnType<typeof listBookingRows>>[number];

/** Newest first; of everybody, or of one student. */
export function listBookingRows(db: Db, since: Date, limit: number, userId?: string) {
  const newest = [desc(bookings.startsAt), desc(bookings.id)];
  // Chosen before their students are read, else the database reads all users.
  const chosen = db
    .select({ id: bookings.id })
    .from(bookings)
    .where(and(gt(bookings.startsAt, since), userId === undefined ? undefined : eq(bookings.userId, userId)))
    .orderBy(...newest)
    .limit(limit);
  return db
    .select({ booking: bookings, coachName: coaches.displayName, student: users })
    .from(bookings)
    .innerJoin(coaches, eq(coaches.userId, bookings.coachId))
    .innerJoin(users, eq(users.id, bookings.userId))
    .where(inArray(bookings.id, chosen))
    .orderBy(...newest);
}
