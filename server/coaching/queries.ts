import { and, asc, desc, eq, gt, gte, inArray, lt, ne, or, type SQL } from "drizzle-orm";
import { lessons, modules } from "#server/catalogue/tables.ts";
import type { Db } from "#server/db/db.ts";
import { users } from "#server/identity/tables.ts";
import type { ExtraSession } from "./allowance.ts";
import type { Range, Schedule } from "./slots.ts";
import { bookings, coachDays, coaches, coachHours, coachingCalendars, extraSessions, liveSessions } from "./tables.ts";

export type CoachRow = typeof coaches.$inferSelect;
export type BookingRow = typeof bookings.$inferSelect;
export type LiveRow = typeof liveSessions.$inferSelect;

export interface BookingWithCoach {
  readonly booking: BookingRow;
  readonly coach: CoachRow;
}

export async function findCoach(db: Db, id: string): Promise<CoachRow | null> {
  const [row] = await db.select().from(coaches).where(eq(coaches.userId, id));
  return row ?? null;
}

export async function lockCoach(tx: Db, id: string): Promise<CoachRow | null> {
  const [row] = await tx.select().from(coaches).where(eq(coaches.userId, id)).for("update");
  return row ?? null;
}

export async function findCoachByPublicId(db: Db, publicId: string): Promise<CoachRow | null> {
  const [row] = await db.select().from(coaches).where(eq(coaches.publicId, publicId));
  return row ?? null;
}

export function listCoaches(db: Db, which?: SQL): Promise<CoachRow[]> {
  return db.select().from(coaches).where(which).orderBy(asc(coaches.displayName), asc(coaches.userId));
}

export function listActiveCoaches(db: Db): Promise<CoachRow[]> {
  return listCoaches(db, eq(coaches.isActive, true));
}

/** Keyed by coach. */
export async function listSchedules(db: Db, of: readonly CoachRow[]): Promise<Map<string, Schedule>> {
  const ids = of.map(({ userId }) => userId);
  if (ids.length === 0) return new Map();
  // Sequential, because a transaction has one connection.
  const hours = await db
    .select()
    .from(coachHours)
    .where(inArray(coachHours.coachId, ids))
    .orderBy(asc(coachHours.weekday), asc(coachHours.fromTime));
  const days = await db.select().from(coachDays).where(inArray(coachDays.coachId, ids)).orderBy(asc(coachDays.date));
  return new Map(
    of.map(({ userId, timeZone }) => [
      userId,
      {
        timeZone,
        hours: hours.filter(({ coachId }) => coachId === userId),
        days: days.filter(({ coachId }) => coachId === userId),
      },
    ]),
  );
}

/** Times taken by bookings and by live sessions. */
export async function listTaken(
  db: Db,
  coachIds: readonly string[],
  { startsAt, endsAt }: Range,
  exceptId?: string,
): Promise<(Range & { coachId: string })[]> {
  if (coachIds.length === 0) return [];
  // One after the other: a transaction has one connection.
  const ofStudents = await db
    .select({ coachId: bookings.coachId, startsAt: bookings.startsAt, endsAt: bookings.endsAt })
    .from(bookings)
    .where(
      and(
        inArray(bookings.coachId, [...coachIds]),
        eq(bookings.state, "booked"),
        lt(bookings.startsAt, endsAt),
        gt(bookings.endsAt, startsAt),
        exceptId === undefined ? undefined : ne(bookings.id, exceptId),
      ),
    );
  const live = await db
    .select({ coachId: liveSessions.coachId, startsAt: liveSessions.startsAt, endsAt: liveSessions.endsAt })
    .from(liveSessions)
    .where(
      and(
        inArray(liveSessions.coachId, [...coachIds]),
        eq(liveSessions.state, "scheduled"),
        lt(liveSessions.startsAt, endsAt),
        gt(liveSessions.endsAt, startsAt),
        exceptId === undefined ? undefined : ne(liveSessions.id, exceptId),
      ),
    );
  return [...ofStudents, ...live];
}

/** Lock its student first. */
export async function lockBooking(tx: Db, id: string): Promise<BookingRow | null> {
  const [row] = await tx.select().from(bookings).where(eq(bookings.id, id)).for("update");
  return row ?? null;
}

export async function findBooking(db: Db, id: string): Promise<BookingWithCoach | null> {
  const [row] = await withCoach(db).where(eq(bookings.id, id));
  return row ?? null;
}

/** The latest start first. */
export function listBookingsOf(db: Db, userId: string): Promise<BookingWithCoach[]> {
  return withCoach(db).where(eq(bookings.userId, userId)).orderBy(desc(bookings.startsAt), desc(bookings.id));
}

function withCoach(db: Db) {
  return db
    .select({ booking: bookings, coach: coaches })
    .from(bookings)
    .innerJoin(coaches, eq(coaches.userId, bookings.coachId));
}

export function listExtrasOf(db: Db, userId: string): Promise<ExtraSession[]> {
  const { id, expiresAt, bookingId } = extraSessions;
  return db.select({ id, expiresAt, bookingId }).from(extraSessions).where(eq(extraSessions.userId, userId));
}

/** Those that end after an instant, the earliest first. */
export function listSessionsOf(db: Db, coachId: string, since: Date) {
  return db
    .select({
      booking: bookings,
      student: { firstName: users.firstName, lastName: users.lastName, accountStatus: users.accountStatus },
    })
    .from(bookings)
    .innerJoin(users, eq(users.id, bookings.userId))
    .where(and(eq(bookings.coachId, coachId), gt(bookings.endsAt, since)))
    .orderBy(asc(bookings.startsAt), asc(bookings.id));
}

/** The newest first. */
export function listHeld(db: Db, userId: string): Promise<{ startsAt: Date; coachName: string }[]> {
  return db
    .select({ startsAt: bookings.startsAt, coachName: coaches.displayName })
    .from(bookings)
    .innerJoin(coaches, eq(coaches.userId, bookings.coachId))
    .where(and(eq(bookings.userId, userId), eq(bookings.state, "held")))
    .orderBy(desc(bookings.startsAt));
}

export function countHeld(db: Db, userId: string): Promise<number> {
  return db.$count(bookings, and(eq(bookings.userId, userId), eq(bookings.state, "held")));
}

/** Late cancellations and missed sessions, also forgiven ones. */
export function listLapses(db: Db, userId: string): Promise<{ id: string; closedAt: Date | null }[]> {
  return db
    .select({ id: bookings.id, closedAt: bookings.closedAt })
    .from(bookings)
    .where(
      and(
        eq(bookings.userId, userId),
        or(
          eq(bookings.state, "missed-by-student"),
          and(eq(bookings.state, "cancelled"), eq(bookings.isLate, true), eq(bookings.cancelledBy, "student")),
        ),
      ),
    );
}

export async function findCalendar(db: Db, userId: string): Promise<typeof coachingCalendars.$inferSelect | null> {
  const [row] = await db.select().from(coachingCalendars).where(eq(coachingCalendars.userId, userId));
  return row ?? null;
}

export async function findLessonTitle(db: Db, lessonId: string): Promise<string | null> {
  const [row] = await db.select({ title: lessons.title }).from(lessons).where(eq(lessons.id, lessonId));
  return row?.title ?? null;
}

/** In the order of the course. */
export function listLessonTitles(db: Db): Promise<{ id: string; title: string }[]> {
  return db
    .select({ id: lessons.id, title: lessons.title })
    .from(lessons)
    .innerJoin(modules, eq(modules.id, lessons.moduleId))
    .orderBy(asc(modules.position), asc(lessons.position));
}

export async function hasOpenSessions(db: Db, coachId: string): Promise<boolean> {
  const open = and(eq(bookings.coachId, coachId), eq(bookings.state, "booked"));
  return (await db.$count(bookings, open)) > 0;
}

/** Of all students. */
export async function listForMeter(db: Db, since: Date) {
  const { id, userId, startsAt, state, isLate, isForgiven, cancelledBy } = bookings;
  const [booked, extras, inactive] = await Promise.all([
    db
      .select({ id, userId, startsAt, state, isLate, isForgiven, cancelledBy })
      .from(bookings)
      .where(gte(bookings.startsAt, since)),
    db.select().from(extraSessions),
    db.select({ id: users.id, state: users.accountStatus }).from(users).where(ne(users.accountStatus, "active")),
  ]);
  return { booked, extras, inactive: new Map(inactive.map(({ id, state }) => [id, state])) };
}
