import { eq } from "drizzle-orm";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import type { User } from "#server/identity/users.ts";
import type { CalendarPart } from "#server/mail/mail.ts";
import { type Entry, invite } from "./calendar.ts";
import { cancelFor } from "./cancellations.ts";
import { presentSettings } from "./coach-desk.ts";
import { liveEntryOf } from "./live/emails.ts";
import { cancelLiveIn } from "./live/live.ts";
import { findLive, listSeatsOf, listSince } from "./live/queries.ts";
import { findCalendar, findCoach, listBookingsOf, listExtrasOf, listSchedules, listSessionsOf } from "./queries.ts";
import { entryOf } from "./session-facts.ts";
import { bookings, coachDays, coaches, coachHours, coachingCalendars, liveSeats } from "./tables.ts";

/** The user's own records as student and as coach, without those of the other person. */
export async function listCoachingOf(db: Db, userId: string) {
  const [found, extras, seats, calendar, coach] = await Promise.all([
    listBookingsOf(db, userId),
    listExtrasOf(db, userId),
    listSeatsOf(db, userId),
    findCalendar(db, userId),
    findCoach(db, userId),
  ]);
  const schedule = coach && (await listSchedules(db, [coach])).get(userId);
  return {
    timeZone: calendar?.timeZone ?? null,
    calendarSince: calendar?.tokenHash ? calendar.openedAt : null,
    sessions: found.map(({ booking }) => {
      const { userId: _user, coachId: _coach, room: _room, isOver: _isOver, ...kept } = booking;
      return kept;
    }),
    extraSessions: extras,
    groupSessions: seats.map(({ userId: _user, ...kept }) => kept),
    coach: coach && schedule ? presentSettings(coach, schedule) : null,
  };
}

/**
 * Keeps times and states, without personal data.
 * @returns the calendar cancellations, which must be sent before the address is erased.
 */
export async function forgetCoaching(
  ctx: Context,
  tx: Db,
  { id: userId, email }: Pick<User, "id" | "email">,
  now: Date,
): Promise<CalendarPart[]> {
  const { publicUrl } = ctx.site;
  const leaving: Entry[] = [];
  for (const found of await listBookingsOf(tx, userId)) {
    const { booking } = found;
    if (booking.state !== "booked" || booking.startsAt <= now) continue;
    if (!(await cancelFor(tx, booking.id, "system", now))) continue;
    leaving.push(entryOf(publicUrl, found, { audience: "student" }));
  }
  for (const seat of await listSeatsOf(tx, userId)) {
    const found = await findLive(tx, seat.sessionId);
    if (seat.state !== "taken" || found?.session.state !== "scheduled" || found.session.startsAt <= now) continue;
    leaving.push(liveEntryOf(publicUrl, found.session, { audience: "student", seat }));
  }
  await tx.update(bookings).set({ prep: null, summary: null, lessonId: null }).where(eq(bookings.userId, userId));
  await tx.update(liveSeats).set({ question: null, state: "given-up" }).where(eq(liveSeats.userId, userId));
  await tx.delete(coachingCalendars).where(eq(coachingCalendars.userId, userId));
  if (await findCoach(tx, userId)) await forgetCoach(tx, userId, now);
  const parts: CalendarPart[] = [];
  const asking = { db: tx, site: ctx.site };
  // One after the other: a transaction has one connection.
  for (const entry of leaving) {
    const gone = { ...entry, sequence: entry.sequence + 1 };
    parts.push(await invite(asking, gone, { method: "CANCEL", to: email }, now));
  }
  return parts;
}

/** Cancels the coach's sessions. Students get them back, and one more. */
async function forgetCoach(tx: Db, coachId: string, now: Date): Promise<void> {
  for (const { booking } of await listSessionsOf(tx, coachId, now)) {
    if (booking.state === "booked" && booking.startsAt > now) await cancelFor(tx, booking.id, "coach", now);
  }
  for (const { session } of await listSince(tx, now, coachId)) {
    if (session.state === "scheduled") await cancelLiveIn(tx, session.id, now);
  }
  await tx.delete(coachHours).where(eq(coachHours.coachId, coachId));
  await tx.delete(coachDays).where(eq(coachDays.coachId, coachId));
  await tx
    .update(coaches)
    .set({ displayName: "A former coach", meetingUrl: null, isActive: false, updatedAt: now })
    .where(eq(coaches.userId, coachId));
}
