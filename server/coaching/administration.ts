import type { z } from "zod";
import type * as contract from "#contract/admin/coaching.ts";
import type { AdminBooking, CoachingAdministration } from "#contract/admin/coaching.ts";
import { audited, differences, recordAudit } from "#server/audit/audit.ts";
import { after, DAY, MINUTE } from "#server/base/clock.ts";
import { invalidFields, notFound, Refusal } from "#server/base/refusal.ts";
import { requireVersion, versionOf } from "#server/base/version.ts";
import { waitForPages } from "#server/catalogue/page-facts.ts";
import {
  cancelLive,
  changeLive,
  type LiveTarget,
  type LiveText,
  liveVersionOf,
  recordLive,
  scheduleLive,
} from "#server/coaching/live/live.ts";
import type { Context } from "#server/context/context.ts";
import { nameOf } from "#server/identity/names.ts";
import { findUserByEmail, lockUser, type User, unconfirmed, userById } from "#server/identity/users.ts";
import { parseVideoId } from "#server/video/video-id.ts";
import { type BookingWithPeople, findBookingRow, listBookingRows, listLiveRows } from "./admin-queries.ts";
import { bookFor, bookingVersionOf, type MoveTarget, moveFor } from "./bookings.ts";
import { findZone } from "./calendars.ts";
import { cancelFor } from "./cancellations.ts";
import { lockSettings, writeSettings } from "./coach-desk.ts";
import { addCoach, listActiveCoaches, listCoachesWithSettings, setActive } from "./coaches.ts";
import { entitlementOf } from "./entitlements.ts";
import { giveExtra } from "./extra-sessions.ts";
import { readMeter } from "./meter.ts";
import { describeAllowance } from "./overview.ts";

const maxMonths = 6;
const maxBookings = 200;
const bookingsShownFor = 30 * DAY;
const liveShownFor = 90 * DAY;

type Body<Endpoint extends { readonly body?: z.ZodType }> = z.output<NonNullable<Endpoint["body"]>>;

export async function describeCoachingAdministration(ctx: Context): Promise<CoachingAdministration> {
  const now = ctx.clock.now();
  const [{ ahead, months }, coaches, live, bookings] = await Promise.all([
    readMeter(ctx.db, maxMonths, now),
    listCoachesWithSettings(ctx.db),
    listLiveRows(ctx.db, after(now, -liveShownFor)),
    listBookingRows(ctx.db, after(now, -bookingsShownFor), maxBookings),
  ]);
  return {
    ahead,
    months,
    coaches: await Promise.all(
      coaches.map(async ({ coach, settings }) => ({
        id: coach.userId,
        email: (await userById(ctx.db, coach.userId)).email,
        isActive: coach.isActive,
        settings,
        version: versionOf({ ...settings, isActive: coach.isActive }),
      })),
    ),
    live: live.map(({ session, coachName, coming }) => {
      const { id, title, about, coachId, requiredTier, seats, state, recordingVideoId, recordingSeconds } = session;
      return {
        ...{
          id,
          title,
          about,
          coachId,
          coachName,
          requiredTier,
          seats,
          state,
          recordingVideoId,
          recordingSeconds,
          coming,
        },
        startsAt: session.startsAt.toISOString(),
        endsAt: session.endsAt.toISOString(),
        hasOwnRoom: session.meetingUrl !== null,
        version: liveVersionOf(session),
      };
    }),
    bookings: bookings.map(presentBooking),
  };
}

/** @throws Refusal not-found. */
export async function describeStudentCoaching(ctx: Context, userId: string) {
  const now = ctx.clock.now();
  const user = await userById(ctx.db, userId);
  const entitlement = await entitlementOf(ctx.db, user.id, now);
  const found = await listBookingRows(ctx.db, new Date(0), maxBookings, user.id);
  return {
    allowance: entitlement && (await describeAllowance(ctx.db, user.id, entitlement, now)),
    bookings: found.map(presentBooking),
    coaches: (await listActiveCoaches(ctx.db)).map(({ userId: id, displayName: name }) => ({ id, name })),
  };
}

function presentBooking({ booking, coachName, student }: BookingWithPeople): AdminBooking {
  const { id, userId, coachId, state, isLate, isForgiven } = booking;
  return {
    ...{ id, userId, coachId, coachName, state, isLate, isForgiven },
    studentName: nameOf(student),
    startsAt: booking.startsAt.toISOString(),
    endsAt: booking.endsAt.toISOString(),
    version: bookingVersionOf(booking),
  };
}

/** @throws Refusal not-found, conflict. */
export async function makeCoach(ctx: Context, actor: User, asked: Body<typeof contract.addCoach>): Promise<void> {
  const user = await findUserByEmail(ctx.db, asked.email);
  if (!user) {
    throw new Refusal("not-found", "Nobody has an account with this address. A coach signs up like everybody else.");
  }
  if (!user.emailVerified) throw unconfirmed();
  const { displayName, timeZone, reason } = asked;
  await audited(ctx, { actor, action: "add coach", subject: user.id, reason }, async (tx, now) => {
    await addCoach(tx, { userId: user.id, displayName, timeZone }, now);
    return { after: { displayName, timeZone } };
  });
}

/** @throws Refusal not-found, conflict, invalid-input. */
export async function changeCoach(
  ctx: Context,
  actor: User,
  coachId: string,
  { isActive, settings, reason }: Body<typeof contract.changeCoach>,
  version: string | undefined,
): Promise<void> {
  await audited(ctx, { actor, action: "change coach", subject: coachId, reason }, async (tx, now) => {
    const { coach, settings: before } = await lockSettings(tx, coachId);
    requireVersion(version, versionOf({ ...before, isActive: coach.isActive }));
    await writeSettings(tx, coachId, settings, now);
    await setActive(tx, coachId, isActive, now);
    return differences(
      { ...withoutAddress(before), isActive: coach.isActive },
      { ...withoutAddress(settings), isActive },
    );
  });
}

/** The log is read by more people than may join. */
function withoutAddress<Kept extends { readonly meetingUrl: string | null }>({ meetingUrl, ...kept }: Kept) {
  return { ...kept, hasOwnRoom: meetingUrl !== null };
}

/** @throws Refusal not-found, invalid-input, slot-taken. */
export async function setLive(ctx: Context, actor: User, asked: Body<typeof contract.scheduleLive>): Promise<void> {
  const { reason, ...text } = asked;
  const session = { ...times(text), meetingUrl: text.meetingUrl };
  // Its id is not known before it is there.
  await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const { id } = await scheduleLive(tx, session, now);
    const after = withoutAddress(session);
    await recordAudit(tx, { actor: actor.id, action: "schedule group session", subject: id, after, reason }, now);
  });
}

/** @throws Refusal not-found, conflict, invalid-input, slot-taken. */
export async function rewriteLive(
  ctx: Context,
  actor: User,
  target: LiveTarget,
  { reason, ...text }: Body<typeof contract.changeLive>,
): Promise<void> {
  await audited(ctx, { actor, action: "change group session", subject: target.id, reason }, async (tx, now) => {
    const { before, after } = await changeLive(tx, target, { ...times(text), meetingUrl: text.meetingUrl }, now);
    const { title, about, coachId, startsAt, endsAt, requiredTier, seats } = before;
    const was = { title, about, coachId, startsAt, endsAt, requiredTier, seats, meetingUrl: before.meetingUrl };
    return differences(withoutAddress(was), withoutAddress(after));
  });
}

function times({
  startsAt,
  minutes,
  ...text
}: Omit<Body<typeof contract.changeLive>, "reason">): Omit<LiveText, "meetingUrl"> {
  const begin = new Date(startsAt);
  const { title, about, coachId, requiredTier, seats } = text;
  return { title, about, coachId, requiredTier, seats, startsAt: begin, endsAt: after(begin, minutes * MINUTE) };
}

/** @throws Refusal not-found, conflict. */
export async function callLiveOff(ctx: Context, actor: User, id: string, reason: string): Promise<void> {
  await audited(ctx, { actor, action: "cancel group session", subject: id, reason }, async (tx, now) => {
    const { state, title } = await cancelLive(tx, id, now);
    return { before: { state, title }, after: { state: "cancelled", title } };
  });
}

/** @throws Refusal not-found, conflict, invalid-input for a video of no known form. */
export async function addRecording(
  ctx: Context,
  actor: User,
  target: LiveTarget,
  { videoId, seconds, reason }: Body<typeof contract.recordLive>,
): Promise<void> {
  if (!parseVideoId(videoId)) {
    throw invalidFields({ videoId: ["Not a video that can be played"] });
  }
  await audited(ctx, { actor, action: "add recording", subject: target.id, reason }, async (tx, now) => {
    const before = await recordLive(tx, target, { recordingVideoId: videoId, recordingSeconds: seconds }, now);
    return { before: { recordingVideoId: before.recordingVideoId }, after: { recordingVideoId: videoId } };
  });
  // Their policy lets the video in.
  await waitForPages();
}

/** @throws Refusal as for students, but for the times of notice. */
export async function bookForStudent(
  ctx: Context,
  actor: User,
  { userId, coachId, startsAt, timeZone, reason }: Body<typeof contract.bookForStudent>,
): Promise<void> {
  await audited(ctx, { actor, action: "book session", subject: userId, reason }, async (tx, now) => {
    const own = await findZone(tx, userId);
    const asked = { coachId, startsAt: new Date(startsAt), timeZone: own ?? timeZone };
    const { bookingId } = await bookFor(tx, userId, asked, { reason }, now);
    return { after: { bookingId, coachId, startsAt: asked.startsAt } };
  });
}

/** @throws Refusal as `bookForStudent`. */
export async function moveForStudent(
  ctx: Context,
  actor: User,
  target: MoveTarget,
  { coachId, startsAt, reason }: Body<typeof contract.moveForStudent>,
): Promise<void> {
  const { bookingId } = target;
  const { userId, studentZone: timeZone } = await getBooking(ctx, bookingId);
  await audited(ctx, { actor, action: "move session", subject: userId, reason }, async (tx, now) => {
    const asked = { coachId, startsAt: new Date(startsAt), timeZone };
    const before = await moveFor(tx, target, asked, { reason }, now);
    return {
      before: { bookingId, coachId: before.coachId, startsAt: before.startsAt },
      after: { bookingId, coachId, startsAt: asked.startsAt },
    };
  });
}

/** At no cost. @throws Refusal not-found, conflict. */
export async function cancelForStudent(ctx: Context, actor: User, bookingId: string, reason: string): Promise<void> {
  const { userId, state, startsAt } = await getBooking(ctx, bookingId);
  await audited(ctx, { actor, action: "cancel session", subject: userId, reason }, async (tx, now) => {
    await lockUser(tx, userId);
    if (!(await cancelFor(tx, bookingId, "administrator", now))) {
      throw new Refusal("conflict", "This session is not booked any more.");
    }
    return { before: { bookingId, startsAt, state }, after: { bookingId, startsAt, state: "cancelled" } };
  });
}

/** Once for each. @throws Refusal not-found, conflict. */
export async function returnSession(ctx: Context, actor: User, bookingId: string, reason: string): Promise<void> {
  const { userId, state } = await getBooking(ctx, bookingId);
  await audited(ctx, { actor, action: "return session", subject: userId, reason }, async (tx, now) => {
    await lockUser(tx, userId);
    if (state === "booked") throw new Refusal("conflict", "This session is still to come. Cancel it instead.");
    if (!(await giveExtra(tx, userId, reason, `returned:${bookingId}`, now))) {
      throw new Refusal("conflict", "This session was returned already.");
    }
    return { after: { bookingId, extraSessions: 1 } };
  });
}

async function getBooking(ctx: Context, id: string) {
  const booking = await findBookingRow(ctx.db, id);
  if (!booking) throw notFound("session");
  return booking;
}
