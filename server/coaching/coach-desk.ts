import { and, eq, isNull } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import type { CoachBooking, CoachBookingDetail, CoachDesk, CoachSettings } from "#contract/coaching/coach.ts";
import { after, DAY } from "#server/base/clock.ts";
import { invalidFields, notFound, Refusal } from "#server/base/refusal.ts";
import { requireVersion, versionOf } from "#server/base/version.ts";
import { countWatchableLessons } from "#server/catalogue/catalogue.ts";
import { listChecksFor } from "#server/checks/checks.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { requirePermission } from "#server/identity/sessions/guards.ts";
import { lockLiveUser, lockUser, type User, userById } from "#server/identity/users.ts";
import { postEmail } from "#server/mail/student-emails.ts";
import { listProgressOf } from "#server/progress/progress.ts";
import { listWaitingOf } from "#server/questions/administration.ts";
import { closeBooking, requireOpenRoom, roomOf } from "./attendance.ts";
import { cancelFor } from "./cancellations.ts";
import { summaryEmail } from "./emails.ts";
import { type LiveWithCoach, listQuestions, listSince } from "./live/queries.ts";
import { getLive } from "./live/seats.ts";
import { coachOf } from "./overview.ts";
import {
  type BookingRow,
  type BookingWithCoach,
  type CoachRow,
  countHeld,
  findBooking,
  findCoach,
  listLessonTitles,
  listSchedules,
  listSessionsOf,
  lockBooking,
  lockCoach,
} from "./queries.ts";
import { joinable, opensAt } from "./rules.ts";
import { studentNameOf } from "./session-facts.ts";
import { isWithinHours, type Schedule } from "./slots.ts";
import { bookings, coachDays, coaches, coachHours } from "./tables.ts";

const shownFor = 60 * DAY;
const liveShownFor = 30 * DAY;

/** 401 for visitors, 403 for users who are no coach. */
export function requireCoach(scope: FastifyInstance, ctx: Context): void {
  const roleOf = async (user: User) => ((await coachOf(ctx.db, user)) ? "coach" : null);
  requirePermission(scope, ctx, { roleOf, refusal: "This page is for coaches." });
}

export async function describeDesk(ctx: Context, user: User): Promise<CoachDesk> {
  const now = ctx.clock.now();
  const coach = await getCoach(ctx.db, user.id);
  const [schedules, found, live] = await Promise.all([
    listSchedules(ctx.db, [coach]),
    listSessionsOf(ctx.db, user.id, after(now, -shownFor)),
    listSince(ctx.db, after(now, -liveShownFor), user.id),
  ]);
  const schedule = scheduleOf(coach, schedules);
  const settings = presentSettings(coach, schedule);
  const questions = await listQuestions(
    ctx.db,
    live.map(({ session }) => session.id),
  );
  const present = ({ booking, student }: (typeof found)[number]) =>
    presentForCoach(booking, studentNameOf(student), schedule, now);
  const isToCome = ({ booking }: (typeof found)[number]) => booking.state === "booked" && booking.endsAt > now;
  return {
    settings,
    settingsVersion: versionOf(settings),
    hasRoom: Boolean(coach.meetingUrl ?? ctx.meetingUrl),
    isActive: coach.isActive,
    now: now.toISOString(),
    upcoming: found.filter(isToCome).map(present),
    past: found
      .filter((each) => !isToCome(each))
      .map(present)
      .reverse(),
    live: nextFirst(live, now).map(({ session, coming }) => ({
      id: session.id,
      title: session.title,
      startsAt: session.startsAt.toISOString(),
      endsAt: session.endsAt.toISOString(),
      state: session.state,
      coming,
      questions: questions.get(session.id) ?? [],
      mayJoin: session.state === "scheduled" && joinable(session, now) === "now",
    })),
  };
}

function nextFirst(newestFirst: readonly LiveWithCoach[], now: Date): LiveWithCoach[] {
  const isToCome = ({ session }: LiveWithCoach) => session.state === "scheduled" && session.endsAt > now;
  return [...newestFirst.filter(isToCome).reverse(), ...newestFirst.filter((each) => !isToCome(each))];
}

/** Bookings stay; those outside the new hours are marked. @throws Refusal conflict, as `writeSettings`. */
export async function setCoachSettings(
  ctx: Context,
  user: User,
  settings: CoachSettings,
  version: string | undefined,
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const before = await lockSettings(tx, user.id);
    requireVersion(version, versionOf(before.settings));
    await writeSettings(tx, user.id, settings, now);
  });
}

/** Locks the settings until the transaction ends. @throws Refusal not-found. */
export async function lockSettings(tx: Db, coachId: string): Promise<{ coach: CoachRow; settings: CoachSettings }> {
  const coach = await lockCoach(tx, coachId);
  if (!coach) throw notFound("coach");
  const schedules = await listSchedules(tx, [coach]);
  return { coach, settings: presentSettings(coach, scheduleOf(coach, schedules)) };
}

/** @throws Refusal not-found, invalid-input for hours that overlap. */
export async function writeSettings(
  tx: Db,
  coachId: string,
  { displayName, timeZone, meetingUrl, hours, days }: CoachSettings,
  now: Date,
): Promise<void> {
  requireApart(hours);
  if (new Set(days.map(({ date }) => date)).size < days.length) throw twice("days", "A date stands here twice");
  const [coach] = await tx
    .update(coaches)
    .set({ displayName, timeZone, meetingUrl, updatedAt: now })
    .where(eq(coaches.userId, coachId))
    .returning({ id: coaches.userId });
  if (!coach) throw notFound("coach");
  await tx.delete(coachHours).where(eq(coachHours.coachId, coachId));
  await tx.delete(coachDays).where(eq(coachDays.coachId, coachId));
  if (hours.length > 0) await tx.insert(coachHours).values(hours.map((each) => ({ ...each, coachId })));
  if (days.length > 0) await tx.insert(coachDays).values(days.map((each) => ({ ...each, coachId })));
}

/** @throws Refusal not-found. */
export async function describeForCoach(ctx: Context, user: User, bookingId: string): Promise<CoachBookingDetail> {
  const now = ctx.clock.now();
  const { booking, coach } = await ownSession(ctx.db, user, bookingId);
  const student = await userById(ctx.db, booking.userId);
  const [schedules, progress, sessionsBefore, lessons, lessonsTotal, checks, questions] = await Promise.all([
    listSchedules(ctx.db, [coach]),
    listProgressOf(ctx, student),
    countHeld(ctx.db, booking.userId),
    listLessonTitles(ctx.db),
    countWatchableLessons(ctx.db, ctx.clock.now()),
    listChecksFor(ctx.db, booking.userId),
    listWaitingOf(ctx.db, booking.userId),
  ]);
  const completed = progress.filter(({ isCompleted }) => isCompleted);
  const last = completed.toSorted((a, b) => (b.completedAt ?? "").localeCompare(a.completedAt ?? ""))[0];
  const begun = new Map(progress.map((each) => [each.lessonId, each]));
  return {
    ...presentForCoach(booking, studentNameOf(student), scheduleOf(coach, schedules), now),
    prep: booking.prep,
    lesson: lessons.find(({ id }) => id === booking.lessonId) ?? null,
    summary: booking.summary,
    summaryVersion: versionOf({ summary: booking.summary }),
    joinedByStudentAt: booking.joinedByStudentAt?.toISOString() ?? null,
    progress: {
      lessonsCompleted: completed.length,
      watchSeconds: Math.round(progress.reduce((sum, { watchTime }) => sum + Number(watchTime), 0)),
      lessonsTotal,
      lastLesson: lessons.find(({ id }) => id === last?.lessonId)?.title ?? null,
      begun: lessons.flatMap(({ id, title }) => {
        const each = begun.get(id);
        if (!each) return [];
        const isCheckPassed = checks.find(({ lessonId }) => lessonId === id)?.isPassed ?? null;
        return [{ id, title, coverage: each.coverage, isCompleted: each.isCompleted, isCheckPassed }];
      }),
    },
    questions,
    sessionsBefore,
  };
}

/** @throws Refusal not-found, conflict, too-late, unavailable. */
export async function joinAsCoach(ctx: Context, user: User, bookingId: string): Promise<string> {
  const now = ctx.clock.now();
  const { booking, coach } = await ownSession(ctx.db, user, bookingId);
  requireOpenRoom(booking, now);
  const room = roomOf(ctx, coach.meetingUrl, booking.room);
  await ctx.db
    .update(bookings)
    .set({ joinedByCoachAt: now })
    .where(and(eq(bookings.id, bookingId), eq(bookings.state, "booked"), isNull(bookings.joinedByCoachAt)));
  return room;
}

/** @throws Refusal not-found, conflict, too-late. */
export async function joinLiveAsCoach(ctx: Context, user: User, sessionId: string): Promise<string> {
  const { session, coach } = await getLive(ctx.db, sessionId);
  if (session.coachId !== user.id) throw notFound("session");
  requireOpenRoom(session, ctx.clock.now());
  return roomOf(ctx, session.meetingUrl ?? coach.meetingUrl, session.room);
}

/** Returns the session to the student, and one more. @throws Refusal not-found, too-late, conflict. */
export async function cancelAsCoach(ctx: Context, user: User, bookingId: string): Promise<void> {
  await changeSession(ctx, user, bookingId, async (tx, booking, now) => {
    if (booking.state === "cancelled") return;
    if (booking.state !== "booked") throw new Refusal("conflict", "This session is over.");
    if (now >= booking.startsAt)
      throw new Refusal("too-late", "This session has already started. Mark it once it's over.");
    await cancelFor(tx, booking.id, "coach", now);
  });
}

/** Safe to repeat. @throws Refusal not-found, conflict. */
export async function markBooking(
  ctx: Context,
  user: User,
  bookingId: string,
  as: "held" | "missed-by-student" | "missed-by-coach",
): Promise<void> {
  await changeSession(ctx, user, bookingId, async (tx, booking, now) => {
    if (booking.state === as) return;
    if (booking.state !== "booked")
      throw new Refusal("conflict", "This session is already marked. To change it, write to the academy.");
    if (now < booking.endsAt) throw new Refusal("conflict", "You can mark a session once it's over.");
    await closeBooking(tx, booking, as, now);
  });
}

/** Emails the student once, about the first summary. @throws Refusal not-found, conflict. */
export async function writeSummary(
  ctx: Context,
  user: User,
  bookingId: string,
  { summary, version }: { readonly summary: string; readonly version?: string | undefined },
): Promise<void> {
  await changeSession(ctx, user, bookingId, async (tx, booking, now) => {
    if (booking.state === "cancelled" || now < booking.startsAt) {
      throw new Refusal("conflict", "You can write a summary once the session has started.");
    }
    if (summary) await lockLiveUser(tx, booking.userId);
    requireVersion(version, versionOf({ summary: booking.summary }));
    await tx
      .update(bookings)
      .set({ summary: summary || null })
      .where(eq(bookings.id, bookingId));
    if (!summary) return;
    const facts = { bookingId, sequence: booking.sequence, audience: "student" as const };
    await postEmail(tx, summaryEmail, { userId: booking.userId, occasion: bookingId, facts }, now);
  });
}

async function changeSession(
  ctx: Context,
  user: User,
  bookingId: string,
  change: (tx: Db, booking: BookingRow, now: Date) => Promise<void>,
): Promise<void> {
  const { booking } = await ownSession(ctx.db, user, bookingId);
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, booking.userId);
    const locked = await lockBooking(tx, bookingId);
    // The booking was moved to another coach since.
    if (locked?.coachId !== user.id) throw notFound("session");
    await change(tx, locked, ctx.clock.now());
  });
}

async function ownSession(db: Db, user: User, bookingId: string): Promise<BookingWithCoach> {
  const found = await findBooking(db, bookingId);
  if (found?.booking.coachId !== user.id) throw notFound("session");
  return found;
}

async function getCoach(db: Db, userId: string): Promise<CoachRow> {
  const coach = await findCoach(db, userId);
  if (!coach) throw new Refusal("not-allowed", "This page is for coaches.");
  return coach;
}

function scheduleOf({ userId, timeZone }: CoachRow, schedules: ReadonlyMap<string, Schedule>): Schedule {
  return schedules.get(userId) ?? { timeZone, hours: [], days: [] };
}

export function presentSettings({ displayName, timeZone, meetingUrl }: CoachRow, schedule: Schedule): CoachSettings {
  return {
    ...{ displayName, timeZone, meetingUrl },
    hours: schedule.hours.map(({ weekday, fromTime, toTime }) => ({ weekday, fromTime, toTime })),
    days: schedule.days.map(({ date, fromTime, toTime }) => ({ date, fromTime, toTime })),
  };
}

function presentForCoach(booking: BookingRow, studentName: string, schedule: Schedule, now: Date): CoachBooking {
  const { id, studentZone, state, startsAt, endsAt } = booking;
  return {
    ...{ id, studentName, studentZone, state },
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    isOutsideHours: state === "booked" && endsAt > now && !isWithinHours(schedule, booking),
    hasPrep: Boolean(booking.prep),
    hasSummary: Boolean(booking.summary),
    mayJoin: state === "booked" && joinable(booking, now) === "now",
    mayMark: state === "booked" && now >= endsAt,
    mayCancel: state === "booked" && now < startsAt,
    maySummarize: state !== "cancelled" && now >= startsAt,
    opensAt: opensAt(booking).toISOString(),
  };
}

function requireApart(hours: CoachSettings["hours"]): void {
  const inOrder = hours.toSorted((a, b) => a.weekday - b.weekday || a.fromTime.localeCompare(b.fromTime));
  const overlapping = inOrder.some((each, at) => {
    const next = inOrder[at + 1];
    return next?.weekday === each.weekday && next.fromTime < each.toTime;
  });
  if (overlapping) throw twice("hours", "Two stretches of a day overlap");
}

function twice(field: string, why: string): Refusal {
  return invalidFields({ [field]: [why] });
}
