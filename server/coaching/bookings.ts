import { and, eq, lte } from "drizzle-orm";
import type * as contract from "#contract/admin/coaching.ts";
import { timeInZone } from "#contract/coaching/times.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { audited } from "#server/audit/audit.ts";
import { after, HOUR, MINUTE } from "#server/base/clock.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import { requireVersion, versionOf } from "#server/base/version.ts";
import type { Context } from "#server/context/context.ts";
import { type Db, isExclusionViolation, isUniqueViolation } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { recordEvent } from "#server/deliveries/events.ts";
import { requireNothingStops } from "#server/discrepancies/discrepancies.ts";
import { lockUser, type User } from "#server/identity/users.ts";
import { scheduleJob } from "#server/jobs/jobs.ts";
import { postEmail } from "#server/mail/student-emails.ts";
import type { Entitlement } from "./allowance.ts";
import { checkBookingJob, settleBookingJob } from "./attendance.ts";
import { findZone } from "./calendars.ts";
import { bookedEmail, handedOverEmail, movedEmail, reminderEmail } from "./emails.ts";
import { requireEntitlement } from "./entitlements.ts";
import { type ByAdministrator, spendAllowance } from "./extra-sessions.ts";
import { getBooking, lockOwnBooking } from "./own-booking.ts";
import {
  type BookingRow,
  findCoachByPublicId,
  findLessonTitle,
  listBookingsOf,
  listSchedules,
  listTaken,
} from "./queries.ts";
import { bookableRange, freeUntil, isLate, maxMoves, settledAfter } from "./rules.ts";
import { emailBoth, eventOf } from "./session-facts.ts";
import { freeSessions, sessionsOf } from "./slots.ts";
import { bookings, coaches, extraSessions } from "./tables.ts";

export interface AskedTime {
  /** The coach's public id. */
  readonly coachId: string;
  readonly startsAt: Date;
  /** IANA. */
  readonly timeZone: string;
}

export interface AskedBooking extends AskedTime {
  readonly prep?: string | undefined;
  readonly lessonId?: string | null | undefined;
}

/**
 * Safe to repeat.
 * @throws Refusal slot-taken, already-booked, no-sessions-left, conflict; as `requireEntitlement`.
 */
export async function bookSession(
  ctx: Context,
  user: User,
  asked: AskedBooking,
): Promise<{ bookingId: string; isNew: boolean }> {
  const chosen = { ...asked, coachId: await coachIdFor(ctx, user, asked) };
  await refuseTaken(ctx, user.id, chosen);
  return refusingLostRaces(ctx.db.transaction((tx) => book(tx, user.id, chosen, ctx.clock.now())));
}

/** Books any free time. @throws Refusal as `bookSession`. */
export async function bookForStudent(
  ctx: Context,
  actor: User,
  { userId, coachId, startsAt, timeZone, reason }: BodyOf<typeof contract.bookForStudent>,
): Promise<void> {
  await audited(ctx, { actor, action: "book session", subject: userId, reason }, async (tx, now) => {
    const own = await findZone(tx, userId);
    const asked = { coachId, startsAt: new Date(startsAt), timeZone: own ?? timeZone };
    const { bookingId } = await refusingLostRaces(book(tx, userId, asked, now, { reason }));
    return { after: { bookingId, coachId, startsAt: asked.startsAt } };
  });
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
  if (!by) await requireNothingStops(tx, "bookings", userId);
  await noteOver(tx, userId, now);
  const mine = (await listBookingsOf(tx, userId)).map(({ booking }) => booking);
  const open = mine.find(({ state, isOver }) => state === "booked" && !isOver);
  if (open) {
    const isSame = open.coachId === asked.coachId && open.startsAt.getTime() === asked.startsAt.getTime();
    if (isSame) return { bookingId: open.id, isNew: false };
    throw alreadyBooked(open, asked.timeZone, now);
  }
  if (asked.lessonId && !(await findLessonTitle(tx, asked.lessonId))) throw noSuchLesson();
  const endsAt = await takeTime(tx, entitlement, asked, now, by);
  const id = newId();
  const { startsAt, coachId, timeZone: studentZone, prep, lessonId = null } = asked;
  await tx.insert(bookings).values({
    ...{ id, coachId, userId, startsAt, endsAt, studentZone, lessonId },
    prep: prep || null,
    room: newId(),
    createdAt: now,
  });
  await spendAllowance(tx, entitlement, { id, userId, startsAt }, asked.timeZone, now, by);
  const booked = { id, userId, coachId, startsAt, endsAt, sequence: 0 };
  await recordEvent(tx, "booking.booked", eventOf(booked), now);
  await emailBoth(tx, bookedEmail, booked, { occasion: id }, now);
  await scheduleWhatFollows(tx, booked, now);
  return { bookingId: id, isNew: true };
}

/** Safe to repeat. @throws Refusal as `bookSession`; too-late, conflict. */
export async function moveBooking(ctx: Context, user: User, bookingId: string, asked: AskedTime): Promise<void> {
  const chosen = { ...asked, coachId: await coachIdFor(ctx, user, asked) };
  await refuseTaken(ctx, user.id, chosen, bookingId);
  const own = { userId: user.id, bookingId };
  await refusingLostRaces(ctx.db.transaction((tx) => move(tx, own, chosen, ctx.clock.now())));
}

export interface MoveTarget {
  readonly bookingId: string;
  /** Of the time and the coach that were on screen. */
  readonly version?: string | undefined;
}

/** Of the time and the coach. */
export function bookingVersionOf({ startsAt, coachId }: Pick<BookingRow, "startsAt" | "coachId">): string {
  return versionOf({ startsAt, coachId });
}

const movedMeanwhile =
  "Somebody has moved this session since you opened it. Look at its time and coach as they are now.";

/** Moves without a notice period. @throws Refusal as `moveBooking`. */
export async function moveForStudent(
  ctx: Context,
  actor: User,
  target: MoveTarget,
  { coachId, startsAt, reason }: BodyOf<typeof contract.moveForStudent>,
): Promise<void> {
  const { bookingId } = target;
  const { userId, studentZone: timeZone } = await getBooking(ctx.db, bookingId);
  await audited(ctx, { actor, action: "move session", subject: userId, reason }, async (tx, now) => {
    const asked = { coachId, startsAt: new Date(startsAt), timeZone };
    const before = await getBooking(tx, bookingId);
    await refusingLostRaces(move(tx, { ...target, userId }, asked, now, { reason }));
    return {
      before: { bookingId, coachId: before.coachId, startsAt: before.startsAt },
      after: { bookingId, coachId, startsAt: asked.startsAt },
    };
  });
}

async function move(
  tx: Db,
  of: MoveTarget & { readonly userId: string },
  asked: AskedTime,
  now: Date,
  by?: ByAdministrator,
): Promise<void> {
  const student = await lockUser(tx, of.userId);
  const entitlement = await requireEntitlement(tx, student, now);
  const booking = await lockOwnBooking(tx, of);
  if (booking.state !== "booked") throw new Refusal("conflict", "This session is no longer booked.");
  if (booking.coachId === asked.coachId && booking.startsAt.getTime() === asked.startsAt.getTime()) return;
  requireVersion(of.version, bookingVersionOf(booking), movedMeanwhile);
  if (!by && isLate(booking.startsAt, now)) {
    throw new Refusal("too-late", "You can move a session until 24 hours before it starts.");
  }
  if (!by && booking.moves >= maxMoves) {
    throw new Refusal("too-late", "You've already moved this session twice. Cancel it and book another one.");
  }
  const endsAt = await takeTime(tx, entitlement, asked, now, by, booking.id);
  const { id, userId } = booking;
  const { startsAt, coachId, timeZone: studentZone } = asked;
  const sequence = booking.sequence + 1;
  await tx.update(extraSessions).set({ bookingId: null }).where(eq(extraSessions.bookingId, id));
  await tx
    .update(bookings)
    .set({ coachId, startsAt, endsAt, studentZone, sequence, moves: booking.moves + (by ? 0 : 1) })
    .where(eq(bookings.id, id));
  await spendAllowance(tx, entitlement, { id, userId, startsAt }, asked.timeZone, now, by);

  const moved = { id, userId, coachId, startsAt, endsAt, sequence };
  await recordEvent(tx, "booking.moved", eventOf(moved), now);
  const occasion = `${id}:${sequence}`;
  const before = booking.startsAt.toISOString();
  if (booking.coachId === coachId) {
    await emailBoth(tx, movedEmail, moved, { occasion, before }, now);
  } else {
    const about = { bookingId: id, sequence, before };
    const toCoach = { ...about, audience: "coach" as const, coachId: booking.coachId };
    await postEmail(tx, movedEmail, { userId, occasion, facts: { ...about, audience: "student" } }, now);
    await postEmail(tx, handedOverEmail, { userId: booking.coachId, occasion, facts: toCoach }, now);
    await postEmail(tx, bookedEmail, { userId: coachId, occasion, facts: toCoach }, now);
  }
  await scheduleWhatFollows(tx, moved, now);
}

/** Reveals nothing about coaches to a student without 1-on-1 coaching. @throws Refusal. */
async function coachIdFor(ctx: Context, user: User, { coachId: publicId }: AskedTime): Promise<string> {
  await requireEntitlement(ctx.db, user, ctx.clock.now());
  const coach = await findCoachByPublicId(ctx.db, publicId);
  if (!coach) throw notFound("coach");
  return coach.userId;
}

/** Refuses most of many simultaneous requests before they wait for a lock. The database decides about the rest. */
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

/** Returns when it ends. The lock on the coach excludes concurrent live sessions, the database's constraint other students. */
async function takeTime(
  tx: Db,
  entitlement: Entitlement,
  { coachId, startsAt }: AskedTime,
  now: Date,
  by?: ByAdministrator,
  exceptId?: string,
): Promise<Date> {
  const [coach] = await tx.select().from(coaches).where(eq(coaches.userId, coachId)).for("share");
  if (!coach?.isActive) throw notFound("coach");
  const { minutes } = entitlement.promise;
  const endsAt = after(startsAt, minutes * MINUTE);
  if (by) {
    if (startsAt <= now || startsAt > after(now, 365 * 24 * HOUR)) throw notThen("Choose a time within the next year");
    if ((await listTaken(tx, [coachId], { startsAt, endsAt }, exceptId)).length > 0) throw slotTaken();
    return endsAt;
  }
  const range = bookableRange(entitlement, now);
  if (startsAt < range.startsAt) {
    throw notThen(
      entitlement.notBefore &&
        startsAt < entitlement.notBefore &&
        range.startsAt.getTime() === entitlement.notBefore.getTime()
        ? "After a refund, you can book coaching from the 8th day of your new purchase"
        : "Choose a time at least 12 hours from now",
    );
  }
  if (startsAt >= range.endsAt) throw notThen("Choose a time within the next 30 days and before your access ends");
  const schedule = (await listSchedules(tx, [coach])).get(coachId);
  const sessions = schedule ? sessionsOf(schedule, minutes, around(startsAt)) : [];
  const free = freeSessions(sessions, await listTaken(tx, [coachId], { startsAt, endsAt }, exceptId));
  if (!free.some((session) => session.startsAt.getTime() === startsAt.getTime())) throw slotTaken();
  return endsAt;
}

/** Wide enough that overlapping hours give the same sessions as on the page. */
function around(startsAt: Date) {
  return { startsAt: after(startsAt, -24 * HOUR), endsAt: after(startsAt, 24 * HOUR) };
}

/** Jobs of an earlier time find another `sequence` and do nothing. */
async function scheduleWhatFollows(
  tx: Db,
  booking: Pick<BookingRow, "id" | "userId" | "coachId" | "startsAt" | "endsAt" | "sequence">,
  now: Date,
): Promise<void> {
  const { id, startsAt, endsAt, sequence } = booking;
  for (const hours of [24, 1]) {
    const sendAt = after(startsAt, -hours * HOUR);
    if (sendAt <= now) continue;
    await emailBoth(tx, reminderEmail, booking, { occasion: `${id}:${sequence}:${hours}`, hours, sendAt }, now);
  }
  const data = { bookingId: id, sequence };
  const key = `${id}:${sequence}`;
  const checkAt = after(startsAt, -freeUntil);
  if (checkAt > now) await scheduleJob(tx, checkBookingJob, { data, key, runAt: checkAt, now });
  await scheduleJob(tx, settleBookingJob, { data, key, runAt: after(endsAt, settledAfter), now });
}

/** Lets the student book the next session although this one is not marked yet. */
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
      throw new Refusal(
        "already-booked",
        "You already have a session booked. Move it, or book your next one once it's over.",
      );
    }
    throw error;
  });
}

function alreadyBooked({ startsAt }: BookingRow, timeZone: string, now: Date): Refusal {
  return new Refusal(
    "already-booked",
    `You already have a session booked on ${timeInZone(startsAt, timeZone, now)}. Move it, or book your next one once it's over.`,
  );
}

function noSuchLesson(): Refusal {
  return new Refusal("invalid-input", "We couldn't find this lesson.", {
    errors: { lessonId: ["We couldn't find this lesson"] },
  });
}

function slotTaken(): Refusal {
  return new Refusal("slot-taken", "This time is no longer available. Please choose another one.");
}

function notThen(why: string): Refusal {
  return new Refusal("invalid-input", `${why}.`, { errors: { startsAt: [why] } });
}
