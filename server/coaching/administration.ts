import type { Page, Paging } from "#contract/admin/admin.ts";
import type { AdminBooking, BookingFilter, CoachingAdministration } from "#contract/admin/coaching.ts";
import { after, DAY } from "#server/base/clock.ts";
import { versionOf } from "#server/base/version.ts";
import { liveVersionOf } from "#server/coaching/live/live.ts";
import type { Context } from "#server/context/context.ts";
import { nameOf } from "#server/identity/names.ts";
import { userById } from "#server/identity/users.ts";
import { type BookingWithPeople, listBookingRows } from "./admin-queries.ts";
import { bookingVersionOf } from "./bookings.ts";
import { listActiveCoaches, listCoachesWithSettings } from "./coaches.ts";
import { entitlementOf } from "./entitlements.ts";
import { listSince } from "./live/queries.ts";
import { readMeter } from "./meter.ts";
import { describeAllowance } from "./overview.ts";

export { summarizeBookings } from "./admin-queries.ts";

const maxMonths = 6;
const liveShownFor = 90 * DAY;

export async function describeCoachingAdministration(ctx: Context): Promise<CoachingAdministration> {
  const now = ctx.clock.now();
  const [{ ahead, months }, coaches, live] = await Promise.all([
    readMeter(ctx.db, maxMonths, now),
    listCoachesWithSettings(ctx.db),
    listSince(ctx.db, after(now, -liveShownFor)),
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
    live: live.map(({ session, coach, coming }) => ({
      ...session,
      coachName: coach.displayName,
      coming,
      startsAt: session.startsAt.toISOString(),
      endsAt: session.endsAt.toISOString(),
      hasOwnRoom: session.meetingUrl !== null,
      version: liveVersionOf(session),
    })),
  };
}

export async function listAllBookings(ctx: Context, query: BookingFilter & Paging): Promise<Page<AdminBooking>> {
  const { rows, total } = await listBookingRows(ctx.db, query, ctx.clock.now());
  return { rows: rows.map(presentBooking), total };
}

/** @throws Refusal not-found. */
export async function describeStudentCoaching(ctx: Context, userId: string) {
  const now = ctx.clock.now();
  const user = await userById(ctx.db, userId);
  const entitlement = await entitlementOf(ctx.db, user.id, now);
  return {
    allowance: entitlement && (await describeAllowance(ctx.db, user.id, entitlement, now)),
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
