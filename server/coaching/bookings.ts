import { and, eq, lte } from "drizzle-orm";
import { z } from "zod";
import type { CancelledBy } from "#contract/coaching/coaching.ts";
import { timeInZone } from "#contract/coaching/times.ts";
import { isBlocked, requireUnblocked } from "#server/access/access.ts";
import { after, HOUR, MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { type Db, isExclusionViolation, isUniqueViolation } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { lockUser, type User, userById } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { postEmail } from "#server/mail/student-emails.ts";
import { counts, type Entitlement, extraFor, leftAt } from "./allowance.ts";
import {
  bookedEmail,
  handedOverEmail,
  missedEmail,
  movedEmail,
  reminderEmail,
  sessionCancelledEmail,
} from "./emails.ts";
import {
  type BookingRow,
  type CoachRow,
  findBooking,
  listBookingsOf,
  listExtrasOf,
  listLapses,
  listSchedules,
  listTaken,
  lockBooking,
} from "./queries.ts";
import {
  bookableRange,
  extraGoodFor,
  freeUntil,
  isForgiven,
  isLate,
  joinable,
  mostMoves,
  opensBefore,
  settle,
  settledAfter,
} from "./rules.ts";
import { freeSessions, sessionsOf } from "./slots.ts";
import { requireEntitlement } from "./students.ts";
import { bookings, coaches, extraSessions } from "./tables.ts";

/** What a student asks for. */
export interface AskedTime {
  readonly coachId: string;
  readonly startsAt: Date;
  /** IANA, where the student is. */
  readonly timeZone: string;
}

export interface AskedBooking extends AskedTime {
  readonly prep?: string | undefined;
  readonly lessonId?: string | null | undefined;
}

/** What an administrator does stands in the audit log with it; none of the students' times of notice bind them. */
export interface ByAdministrator {
  readonly reason: string;
}

/**
 * Books a session. Asked again for the same coach and start it changes nothing and returns the booking that there is.
 * @throws Refusal account-blocked, tier-required, invalid-input, slot-taken, already-booked, no-sessions-left, not-found.
 */
export async function bookSession(
  ctx: Context,
  user: User,
  asked: AskedBooking,
): Promise<{ bookingId: string; isNew: boolean }> {
  requireUnblocked(user);
  await refuseTaken(ctx, user.id, asked);
  return refusingLostRaces(ctx.db.transaction((tx) => book(tx, user.id, asked, ctx.clock.now())));
}

/** Books for a student at any time that is free, on the student's behalf. Within a transaction. @throws as `bookSession` */
export async function bookFor(
  tx: Db,
  userId: string,
  asked: AskedBooking,
  by: ByAdministrator,
  now: Date,
): Promise<{ bookingId: string; isNew: boolean }> {
  return refusingLostRaces(book(tx, userId, asked, now, by));
}

async function book(
  tx: Db,
  userId: string,
  asked: AskedBooking,
  now: Date,
  by?: ByAdministrator,
): Promise<{ bookingId: string; isNew: boolean }> {
  const student = await lockUser(tx, userId);
  const entitlement = await requireEntitlement(tx, student, now);
  await noteOver(tx, userId, now);
  const mine = (await listBookingsOf(tx, userId)).map(({ booking }) => booking);
  const open = mine.find(({ state, isOver }) => state === "booked" && !isOver);
  if (open) {
    const isSame = open.coachId === asked.coachId && open.startsAt.getTime() === asked.startsAt.getTime();
    if (isSame) return { bookingId: open.id, isNew: false };
    throw alreadyBooked(open, asked.timeZone, now);
  }
  const { coach, endsAt } = await takeTime(tx, entitlement, asked, now, by);
  const id = newId();
  const { startsAt, coachId, timeZone: studentZone, prep, lessonId = null } = asked;
  await tx.insert(bookings).values({
    ...{ id, coachId, userId, startsAt, endsAt, studentZone, lessonId },
    prep: prep || null,
    room: newId(),
    createdAt: now,
  });
  await spendAllowance(tx, entitlement, { id, userId, startsAt }, asked.timeZone, now, by);
  const about = { bookingId: id, sequence: 0 };
  for (const audience of ["student", "coach"] as const) {
    const addressee = audience === "student" ? userId : coach.userId;
    await postEmail(tx, bookedEmail, { userId: addressee, occasion: id, facts: { ...about, audience } }, now);
  }
  await scheduleWhatFollows(tx, { id, userId, coachId, startsAt, endsAt, sequence: 0 }, now);
  return { bookingId: id, isNew: true };
}

/**
 * Moves a session to another free time. Asked again for the time that it has, it changes nothing.
 * @throws Refusal as `bookSession`; too-late within 24 hours and after two moves, conflict for one that is not booked.
 */
export async function moveBooking(ctx: Context, user: User, bookingId: string, asked: AskedTime): Promise<void> {
  requireUnblocked(user);
  await refuseTaken(ctx, user.id, asked, bookingId);
  await refusingLostRaces(ctx.db.transaction((tx) => move(tx, { userId: user.id, bookingId }, asked, ctx.clock.now())));
}

/** Moves a session for a student. Within a transaction. @throws Refusal as `moveBooking`, but for the times of notice. */
export async function moveFor(
  tx: Db,
  bookingId: string,
  asked: AskedTime,
  by: ByAdministrator,
  now: Date,
): Promise<BookingRow> {
  const found = await findBooking(tx, bookingId);
  if (!found) throw noSuchBooking();
  await refusingLostRaces(move(tx, { userId: found.booking.userId, bookingId }, asked, now, by));
  return found.booking;
}

async function move(
  tx: Db,
  of: { readonly userId: string; readonly bookingId: string },
  asked: AskedTime,
  now: Date,
  by?: ByAdministrator,
): Promise<void> {
  const student = await lockUser(tx, of.userId);
  const entitlement = await requireEntitlement(tx, student, now);
  const booking = await ownBooking(tx, of);
  if (booking.state !== "booked") throw new Refusal("conflict", "This session is not booked any more.");
  if (booking.coachId === asked.coachId && booking.startsAt.getTime() === asked.startsAt.getTime()) return;
  if (!by && isLate(booking.startsAt, now)) {
    throw new Refusal("too-late", "A session can be moved until 24 hours before it begins.");
  }
  if (!by && booking.moves >= mostMoves) {
    throw new Refusal("too-late", "A session can be moved twice. Cancel it and book another one.");
  }
  const { coach, endsAt } = await takeTime(tx, entitlement, asked, now, by, booking.id);
  const { id, userId } = booking;
  const { startsAt, coachId, timeZone: studentZone } = asked;
  const sequence = booking.sequence + 1;
  await tx.update(extraSessions).set({ bookingId: null }).where(eq(extraSessions.bookingId, id));
  await tx
    .update(bookings)
    .set({ coachId, startsAt, endsAt, studentZone, sequence, moves: booking.moves + (by ? 0 : 1) })
    .where(eq(bookings.id, id));
  await spendAllowance(tx, entitlement, { id, userId, startsAt }, asked.timeZone, now, by);

  const occasion = `${id}:${sequence}`;
  const before = booking.startsAt.toISOString();
  const toStudent = { bookingId: id, sequence, audience: "student" as const };
  const toCoach = { ...toStudent, audience: "coach" as const };
  await postEmail(tx, movedEmail, { userId, occasion, facts: { ...toStudent, before } }, now);
  if (booking.coachId === coachId) {
    await postEmail(tx, movedEmail, { userId: coachId, occasion, facts: { ...toCoach, before } }, now);
  } else {
    const facts = { ...toCoach, before, coachId: booking.coachId };
    await postEmail(tx, handedOverEmail, { userId: booking.coachId, occasion, facts }, now);
    await postEmail(tx, bookedEmail, { userId: coach.userId, occasion, facts: toCoach }, now);
  }
  await scheduleWhatFollows(tx, { id, userId, coachId, startsAt, endsAt, sequence }, now);
}

/**
 * A student cancels a session: until 24 hours before at no cost, later it counts as used, but for the first time in a
 * year. Asked again it changes nothing.
 * @throws Refusal not-found, too-late once it has begun, conflict for one that was held or missed.
 */
export async function cancelBooking(ctx: Context, user: User, bookingId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, user.id);
    const now = ctx.clock.now();
    const booking = await ownBooking(tx, { userId: user.id, bookingId });
    if (booking.state === "cancelled") return;
    if (booking.state !== "booked") throw new Refusal("conflict", "This session is over.");
    if (now >= booking.startsAt) throw new Refusal("too-late", "This session has begun.");
    const late = isLate(booking.startsAt, now);
    const forgiven = late && isForgiven(await listLapses(tx, user.id), now);
    await cancel(tx, booking, { by: "student", isLate: late, isForgiven: forgiven }, now);
  });
}

/**
 * Cancels a session that its student did not cancel: it does not count. Where its coach did, the student has one more.
 * Within a transaction that has locked the student. False when it was not booked any more.
 */
export async function cancelFor(
  tx: Db,
  bookingId: string,
  by: Exclude<CancelledBy, "student">,
  now: Date,
): Promise<boolean> {
  const booking = await lockBooking(tx, bookingId);
  if (booking?.state !== "booked") return false;
  await cancel(tx, booking, { by, isLate: false, isForgiven: false }, now);
  if (by === "coach") await giveExtra(tx, booking.userId, "your coach cancelled", `coach-cancelled:${bookingId}`, now);
  return true;
}

async function cancel(
  tx: Db,
  booking: BookingRow,
  how: { readonly by: CancelledBy; readonly isLate: boolean; readonly isForgiven: boolean },
  now: Date,
): Promise<void> {
  const { id, userId, coachId } = booking;
  const sequence = booking.sequence + 1;
  const { by: cancelledBy, ...lateness } = how;
  const after = { state: "cancelled" as const, cancelledBy, ...lateness, sequence, closedAt: now };
  await tx.update(bookings).set(after).where(eq(bookings.id, id));
  if (!counts({ ...booking, ...after })) await returnExtra(tx, id, now);
  const about = { bookingId: id, sequence };
  for (const audience of ["student", "coach"] as const) {
    const addressee = audience === "student" ? userId : coachId;
    const facts = { ...about, audience };
    await postEmail(tx, sessionCancelledEmail, { userId: addressee, occasion: `${id}:${sequence}`, facts }, now);
  }
}

/** Writes down what became of a session that is over. Within a transaction that has locked the student. */
export async function closeBooking(
  tx: Db,
  booking: BookingRow,
  state: "held" | "missed-by-student" | "missed-by-coach",
  now: Date,
): Promise<void> {
  const { id, userId, coachId, sequence } = booking;
  const forgiven = state === "missed-by-student" && isForgiven(await listLapses(tx, userId), now);
  const after = { state, isForgiven: forgiven, isOver: true, closedAt: now };
  await tx.update(bookings).set(after).where(eq(bookings.id, id));
  if (!counts({ ...booking, ...after })) await returnExtra(tx, id, now);
  if (state === "missed-by-coach") await giveExtra(tx, userId, "your coach did not come", `coach-missed:${id}`, now);
  if (state === "held") return;
  const facts = { bookingId: id, sequence, audience: "student" as const };
  await postEmail(tx, missedEmail, { userId, occasion: id, facts }, now);
  if (state === "missed-by-coach") {
    await postEmail(tx, missedEmail, { userId: coachId, occasion: id, facts: { ...facts, audience: "coach" } }, now);
  }
}

/** A session beside the promise; given once for each source. False when it was given before. */
export async function giveExtra(tx: Db, userId: string, reason: string, sourceId: string, now: Date): Promise<boolean> {
  const given = await tx
    .insert(extraSessions)
    .values({ userId, reason, sourceId, expiresAt: after(now, extraGoodFor), createdAt: now })
    .onConflictDoNothing()
    .returning({ id: extraSessions.id });
  return given.length > 0;
}

/**
 * Where the student meets the coach: said from 15 minutes before the start to the end, to whom has 1-on-1 coaching then.
 * @throws Refusal account-blocked, tier-required, not-found, conflict, too-late, unavailable while there is no room.
 */
export async function joinBooking(ctx: Context, user: User, bookingId: string): Promise<string> {
  const now = ctx.clock.now();
  await requireEntitlement(ctx.db, user, now);
  const found = await findBooking(ctx.db, bookingId);
  if (found?.booking.userId !== user.id) throw noSuchBooking();
  requireOpenRoom(found.booking, now);
  const room = roomOf(ctx, found.coach.meetingUrl, found.booking.room);
  await ctx.db
    .update(bookings)
    .set({ joinedByStudentAt: found.booking.joinedByStudentAt ?? now })
    .where(and(eq(bookings.id, bookingId), eq(bookings.state, "booked")));
  return room;
}

/** @throws Refusal conflict before it opens and for one that is not booked, too-late once it is over. */
export function requireOpenRoom(
  session: { readonly startsAt: Date; readonly endsAt: Date; readonly state: string },
  now: Date,
): void {
  if (session.state === "cancelled") throw new Refusal("conflict", "This session is cancelled.");
  const when = joinable(session, now);
  if (when === "early") throw new Refusal("conflict", "The room opens 15 minutes before the session begins.");
  if (when === "late") throw new Refusal("too-late", "This session is over.");
}

/** The address of a room, where `{id}` is one that nobody can guess. @throws Refusal unavailable without any. */
export function roomOf(ctx: Context, own: string | null, room: string): string {
  const address = own ?? ctx.meetingUrl;
  if (!address) throw new Refusal("unavailable", "The room is not set up yet. Please write to us.");
  return address.replaceAll("{id}", room);
}

/** The job of 24 hours before: whoever is blocked then does not come, and pays nothing for it. */
export const checkBookingJob = defineJob(
  "check-coaching-booking",
  z.object({ bookingId: z.string(), sequence: z.int() }),
);

export async function checkBooking(ctx: Context, of: { bookingId: string; sequence: number }): Promise<void> {
  await withBooking(ctx, of, async (tx, booking, now) => {
    const { accountStatus } = await userById(tx, booking.userId);
    if (isBlocked(accountStatus)) await cancelFor(tx, booking.id, "system", now);
  });
}

/** The job of a day after: a session that nobody marked is settled by who joined it. */
export const settleBookingJob = defineJob(
  "settle-coaching-booking",
  z.object({ bookingId: z.string(), sequence: z.int() }),
);

export async function settleBooking(ctx: Context, of: { bookingId: string; sequence: number }): Promise<void> {
  await withBooking(ctx, of, (tx, booking, now) => closeBooking(tx, booking, settle(booking), now));
}

/** Works on a booking that is as it was when the job was scheduled, and on no other. */
async function withBooking(
  ctx: Context,
  { bookingId, sequence }: { bookingId: string; sequence: number },
  work: (tx: Db, booking: BookingRow, now: Date) => Promise<unknown>,
): Promise<void> {
  const found = await findBooking(ctx.db, bookingId);
  if (!found) return;
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, found.booking.userId);
    const booking = await lockBooking(tx, bookingId);
    if (booking?.state === "booked" && booking.sequence === sequence) await work(tx, booking, ctx.clock.now());
  });
}

/** A student's own booking, held until the transaction ends. @throws Refusal not-found. */
async function ownBooking(
  tx: Db,
  { userId, bookingId }: { readonly userId: string; readonly bookingId: string },
): Promise<BookingRow> {
  const booking = await lockBooking(tx, bookingId);
  if (booking?.userId !== userId) throw noSuchBooking();
  return booking;
}

/** A crowd at one time is turned away before it waits for a lock; the database decides about the rest. */
async function refuseTaken(ctx: Context, userId: string, asked: AskedTime, exceptId?: string): Promise<void> {
  const range = { startsAt: asked.startsAt, endsAt: after(asked.startsAt, MINUTE) };
  const taken = await listTaken(ctx.db, [asked.coachId], range, exceptId);
  if (taken.length === 0) return;
  const mine = (await listBookingsOf(ctx.db, userId)).map(({ booking }) => booking);
  const isMine = mine.some(
    ({ coachId, startsAt, state }) =>
      state === "booked" && coachId === asked.coachId && startsAt.getTime() === asked.startsAt.getTime(),
  );
  if (!isMine) throw slotTaken();
}

/**
 * Makes sure that a time is the student's to take, computing it anew. Live sessions are kept away by the lock on the
 * coach's row, other students by the database's own constraint.
 */
async function takeTime(
  tx: Db,
  entitlement: Entitlement,
  { coachId, startsAt }: AskedTime,
  now: Date,
  by?: ByAdministrator,
  exceptId?: string,
): Promise<{ coach: CoachRow; endsAt: Date }> {
  const [coach] = await tx.select().from(coaches).where(eq(coaches.userId, coachId)).for("share");
  if (!coach?.isActive) throw new Refusal("not-found", "There is no such coach.");
  const { minutes } = entitlement.promise;
  const endsAt = after(startsAt, minutes * MINUTE);
  if (by) {
    if (startsAt <= now || startsAt > after(now, 365 * 24 * HOUR)) throw notThen("A time within the next year");
    if ((await listTaken(tx, [coachId], { startsAt, endsAt }, exceptId)).length > 0) throw slotTaken();
    return { coach, endsAt };
  }
  const range = bookableRange(entitlement, now);
  if (startsAt < range.startsAt) {
    throw notThen(
      entitlement.notBefore &&
        startsAt < entitlement.notBefore &&
        range.startsAt.getTime() === entitlement.notBefore.getTime()
        ? "After a refund, the first 7 days of a new purchase have no 1-on-1 coaching"
        : "A session is booked at least 12 hours ahead",
    );
  }
  if (startsAt >= range.endsAt) throw notThen("A session is booked at most 30 days ahead, and before the access ends");
  const schedule = (await listSchedules(tx, [coach])).get(coachId);
  const sessions = schedule ? sessionsOf(schedule, minutes, around(startsAt)) : [];
  const free = freeSessions(sessions, await listTaken(tx, [coachId], { startsAt, endsAt }, exceptId));
  if (!free.some((session) => session.startsAt.getTime() === startsAt.getTime())) throw slotTaken();
  return { coach, endsAt };
}

/** A day on both sides, so that stretches which overlap give the same sessions as on the page. */
function around(startsAt: Date) {
  return { startsAt: after(startsAt, -24 * HOUR), endsAt: after(startsAt, 24 * HOUR) };
}

/** @throws Refusal no-sessions-left, naming when the next one comes. */
async function spendAllowance(
  tx: Db,
  entitlement: Entitlement,
  booking: { readonly id: string; readonly userId: string; readonly startsAt: Date },
  timeZone: string,
  now: Date,
  by?: ByAdministrator,
): Promise<void> {
  const mine = (await listBookingsOf(tx, booking.userId)).map((row) => row.booking);
  const extras = await listExtrasOf(tx, booking.userId);
  const left = leftAt(entitlement, mine, extras, booking.startsAt, booking.id);
  if (left.own > 0) return;
  if (by && left.extra === 0) {
    await giveExtra(tx, booking.userId, by.reason, `booked-for:${booking.id}:${booking.startsAt.toISOString()}`, now);
    extras.splice(0, extras.length, ...(await listExtrasOf(tx, booking.userId)));
  }
  const extra = extraFor(extras, booking.startsAt) ?? (by ? extras.find(({ bookingId }) => bookingId === null) : null);
  if (!extra) {
    throw new Refusal(
      "no-sessions-left",
      `You have no session left for that time. Your next one can begin from ${timeInZone(left.window.endsAt, timeZone, now)}.`,
    );
  }
  await tx.update(extraSessions).set({ bookingId: booking.id }).where(eq(extraSessions.id, extra.id));
}

/** The extra session of a booking that does not count is good again, for as long as a new one. */
async function returnExtra(tx: Db, bookingId: string, now: Date): Promise<void> {
  await tx
    .update(extraSessions)
    .set({ bookingId: null, expiresAt: after(now, extraGoodFor) })
    .where(eq(extraSessions.bookingId, bookingId));
}

/** Reminders, the check a day before and the settlement a day after; those of an earlier time find another sequence. */
async function scheduleWhatFollows(
  tx: Db,
  booking: Pick<BookingRow, "id" | "userId" | "coachId" | "startsAt" | "endsAt" | "sequence">,
  now: Date,
): Promise<void> {
  const { id, userId, coachId, startsAt, endsAt, sequence } = booking;
  for (const hours of [24, 1]) {
    const sendAt = after(startsAt, -hours * HOUR);
    if (sendAt <= now) continue;
    for (const audience of ["student", "coach"] as const) {
      const facts = { bookingId: id, sequence, audience, hours };
      const addressee = audience === "student" ? userId : coachId;
      await postEmail(
        tx,
        reminderEmail,
        { userId: addressee, occasion: `${id}:${sequence}:${hours}`, facts, sendAt },
        now,
      );
    }
  }
  const data = { bookingId: id, sequence };
  const key = `${id}:${sequence}`;
  const checkAt = after(startsAt, -freeUntil);
  if (checkAt > now) await scheduleJob(tx, checkBookingJob, { data, key, runAt: checkAt, now });
  await scheduleJob(tx, settleBookingJob, { data, key, runAt: after(endsAt, settledAfter), now });
}

/** A session whose end has passed is not in the way of the next one, marked or not. */
async function noteOver(tx: Db, userId: string, now: Date): Promise<void> {
  await tx
    .update(bookings)
    .set({ isOver: true })
    .where(and(eq(bookings.userId, userId), eq(bookings.isOver, false), lte(bookings.endsAt, now)));
}

function refusingLostRaces<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error) => {
    if (isExclusionViolation(error, "bookings_no_overlap")) throw slotTaken();
    if (isUniqueViolation(error, "bookings_one_open")) {
      throw new Refusal("already-booked", "You have a session booked. Move it, or book the next one after it.");
    }
    throw error;
  });
}

function alreadyBooked({ startsAt }: BookingRow, timeZone: string, now: Date): Refusal {
  return new Refusal(
    "already-booked",
    `You have a session booked on ${timeInZone(startsAt, timeZone, now)}. Move it, or book the next one after it.`,
  );
}

function slotTaken(): Refusal {
  return new Refusal("slot-taken", "This time is not free any more. Please choose another one.");
}

function notThen(why: string): Refusal {
  return new Refusal("invalid-input", `${why}.`, { errors: { startsAt: [why] } });
}

function noSuchBooking(): Refusal {
  return new Refusal("not-found", "There is no such session.");
}

/** From when on a booking can be joined. */
export function opensAt({ startsAt }: { readonly startsAt: Date }): Date {
  return after(startsAt, -opensBefore);
}
