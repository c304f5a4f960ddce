import type { Allowance, Booking, CoachingOverview, Slots } from "#contract/coaching/coaching.ts";
import { lowestLiveTier } from "#contract/tiers.ts";
import { isBlocked, ownTierInUse, tierInUse } from "#server/access/access.ts";
import { after, DAY } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import type { User } from "#server/identity/users.ts";
import { counts, type Entitlement, leftAt } from "./allowance.ts";
import { calendarLinks } from "./calendar.ts";
import { entitlementOf, lowestTierWithCoaching, requireEntitlement } from "./entitlements.ts";
import { presentLive } from "./live/live.ts";
import { listComing, listOver, listSeatsOf } from "./live/queries.ts";
import { getOwnBooking } from "./own-booking.ts";
import {
  type BookingWithCoach,
  type CoachRow,
  findCalendar,
  findCoach,
  hasOpenSessions,
  listActiveCoaches,
  listBookingsOf,
  listExtrasOf,
  listLapses,
  listSchedules,
  listTaken,
} from "./queries.ts";
import { bookableRange, freeUntil, isContestable, isForgiven, isLate, joinable, maxMoves, opensAt } from "./rules.ts";
import { entryOf } from "./session-facts.ts";
import { freeSessions, sessionsOf } from "./slots.ts";

export { listHeld } from "./queries.ts";

const maxOver = 12;
const maxPast = 50;

/** Works for any account status, because each has its page. */
export async function describeCoaching(ctx: Context, user: User): Promise<CoachingOverview> {
  const now = ctx.clock.now();
  const { db } = ctx;
  const [tier, ownTier, entitlement, found, lapses, coming, over, seats, calendar, oneOnOneTier, coach] =
    await Promise.all([
      tierInUse(ctx, user),
      ownTierInUse(ctx, user),
      entitlementOf(db, user.id, now),
      listBookingsOf(db, user.id),
      listLapses(db, user.id),
      listComing(db, now),
      listOver(db, now, maxOver),
      listSeatsOf(db, user.id),
      findCalendar(db, user.id),
      lowestTierWithCoaching(db),
      coachOf(db, user),
    ]);
  const forgives = isForgiven(lapses, now);
  const isUpcoming = ({ booking }: BookingWithCoach) => booking.state === "booked" && booking.endsAt > now;
  const upcoming = found.find(isUpcoming);
  const present = (each: BookingWithCoach) => presentBooking(ctx, each, { now, forgives });
  const live = (each: Parameters<typeof presentLive>[0]) =>
    presentLive(
      each,
      seats.find(({ sessionId }) => sessionId === each.session.id),
      { tier, ownTier, now },
    );
  return {
    tier,
    isBlocked: isBlocked(user.accountStatus),
    // The team has no sessions of its own, and nothing to buy.
    oneOnOneTier: tier === ownTier ? oneOnOneTier : null,
    liveTier: lowestLiveTier,
    timeZone: calendar?.timeZone ?? null,
    allowance: entitlement && (await describeAllowance(db, user.id, entitlement, now)),
    upcoming: upcoming ? present(upcoming) : null,
    past: found
      .filter((each) => each !== upcoming)
      .slice(0, maxPast)
      .map(present),
    live: coming.map(live),
    recorded: over.map(live),
    lastLiveAt: over[0]?.session.startsAt.toISOString() ?? null,
    calendarSince: calendar?.tokenHash ? (calendar.openedAt ?? calendar.updatedAt).toISOString() : null,
    isCoach: coach !== null,
  };
}

export async function isCoach(db: Db, userId: string): Promise<boolean> {
  return (await findWorkingCoach(db, userId)) !== null;
}

/** Also a former coach who still has sessions to give. */
async function findWorkingCoach(db: Db, userId: string): Promise<CoachRow | null> {
  const coach = await findCoach(db, userId);
  return coach && (coach.isActive || (await hasOpenSessions(db, userId))) ? coach : null;
}

/** Null for an account that is blocked or whose address is unconfirmed, as for the roles of the administration. */
export async function coachOf(
  db: Db,
  { id, accountStatus, emailVerified }: Pick<User, "id" | "accountStatus" | "emailVerified">,
): Promise<CoachRow | null> {
  return emailVerified && !isBlocked(accountStatus) ? findWorkingCoach(db, id) : null;
}

/** @throws Refusal not-found. */
export async function describeBooking(ctx: Context, user: User, bookingId: string): Promise<Booking> {
  const found = await getOwnBooking(ctx.db, { userId: user.id, bookingId });
  const now = ctx.clock.now();
  return presentBooking(ctx, found, { now, forgives: isForgiven(await listLapses(ctx.db, user.id), now) });
}

/** @throws Refusal account-blocked, tier-required. */
export async function listSlots(ctx: Context, user: User): Promise<Slots> {
  const now = ctx.clock.now();
  const entitlement = await requireEntitlement(ctx.db, user, now);
  const range = bookableRange(entitlement, now);
  const coaches = await listActiveCoaches(ctx.db);
  const { minutes } = entitlement.promise;
  const [schedules, taken, mine, extras] = await Promise.all([
    listSchedules(ctx.db, coaches),
    listTaken(
      ctx.db,
      coaches.map(({ userId }) => userId),
      { startsAt: range.startsAt, endsAt: after(range.endsAt, DAY) },
    ),
    listBookingsOf(ctx.db, user.id),
    listExtrasOf(ctx.db, user.id),
  ]);
  const open = mine.find(({ booking }) => booking.state === "booked" && booking.endsAt > now)?.booking;
  const counted = mine.map(({ booking }) => booking);
  // Offers only times for which the student has a session left, also when a booking is moved.
  const isAllowed = (at: Date) => {
    const left = leftAt(entitlement, counted, extras, at, open?.id);
    return left.own + left.extra > 0;
  };
  return {
    minutes,
    from: range.startsAt.toISOString(),
    until: range.endsAt.toISOString(),
    coaches: coaches.map(({ userId, publicId: id, displayName: name, timeZone }) => {
      const schedule = schedules.get(userId);
      const sessions = schedule ? sessionsOf(schedule, minutes, range) : [];
      const free = freeSessions(
        sessions,
        taken.filter(({ coachId }) => coachId === userId),
      );
      return {
        ...{ id, name, timeZone },
        startsAt: free.filter(({ startsAt }) => isAllowed(startsAt)).map(({ startsAt }) => startsAt.toISOString()),
      };
    }),
  };
}

export async function describeAllowance(
  db: Db,
  userId: string,
  entitlement: Entitlement,
  now: Date,
): Promise<Allowance> {
  const mine = (await listBookingsOf(db, userId)).map(({ booking }) => booking);
  const extras = await listExtrasOf(db, userId);
  const { window, own, extra } = leftAt(entitlement, mine, extras, now);
  const unused = extras.filter(({ bookingId, expiresAt }) => bookingId === null && expiresAt > now);
  const firstEnd = unused.map(({ expiresAt }) => expiresAt).toSorted((a, b) => a.getTime() - b.getTime())[0];
  return {
    promise: entitlement.promise,
    left: own,
    extra,
    extraUntil: firstEnd?.toISOString() ?? null,
    windowStartsAt: window.startsAt.toISOString(),
    windowEndsAt: window.endsAt.toISOString(),
    used: mine
      .filter((booking) => booking.startsAt >= window.startsAt && booking.startsAt < window.endsAt && counts(booking))
      .map(({ id, startsAt, state }) => ({ bookingId: id, startsAt: startsAt.toISOString(), state })),
    notBefore: entitlement.notBefore && entitlement.notBefore > now ? entitlement.notBefore.toISOString() : null,
    accessUntil: entitlement.until?.toISOString() ?? null,
  };
}

function presentBooking(
  ctx: Context,
  found: BookingWithCoach,
  { now, forgives }: { readonly now: Date; readonly forgives: boolean },
): Booking {
  const { booking, coach } = found;
  const { id, state, startsAt, endsAt } = booking;
  const isOpen = state === "booked";
  const late = isLate(startsAt, now);
  const movesLeft = Math.max(0, maxMoves - booking.moves);
  const { studentZone, cancelledBy, sequence, prep, lessonId, summary } = booking;
  return {
    ...{ id, state, studentZone, cancelledBy, sequence, prep, lessonId, summary, movesLeft },
    coach: { id: coach.publicId, name: coach.displayName, timeZone: coach.timeZone },
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    isLate: booking.isLate,
    isForgiven: booking.isForgiven,
    counts: counts(booking),
    freeUntil: after(startsAt, -freeUntil).toISOString(),
    opensAt: opensAt(booking).toISOString(),
    mayMove: isOpen && !late && movesLeft > 0,
    mayCancel: isOpen && now < startsAt,
    mayJoin: isOpen && joinable(booking, now) === "now",
    mayContest: isContestable(booking, now),
    contestedAt: booking.contestedAt?.toISOString() ?? null,
    costOfCancelling: !late ? "nothing" : forgives ? "forgiven" : "counts",
    ...calendarLinks(entryOf(ctx.site.publicUrl, found, { audience: "student" })),
  };
}
