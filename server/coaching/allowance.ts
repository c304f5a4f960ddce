import type { CoachingPromise } from "#contract/coaching/promise.ts";
import { after, DAY } from "#server/base/clock.ts";
import type { Range } from "./slots.ts";

/** What counts of a booking against the promise. */
export interface CountedBooking {
  readonly id: string;
  readonly startsAt: Date;
  readonly state: "booked" | "cancelled" | "held" | "missed-by-student" | "missed-by-coach";
  readonly isLate: boolean;
  readonly isForgiven: boolean;
  readonly cancelledBy: "student" | "coach" | "administrator" | "system" | null;
}

/** A session beside the promise, returned by us. */
export interface ExtraSession {
  readonly id: string;
  readonly expiresAt: Date;
  /** The booking that uses it, or null. */
  readonly bookingId: string | null;
}

/** What a student may book 1-on-1, and since when: the start of the unbroken stretch of the tier that gives it. */
export interface Entitlement {
  readonly promise: CoachingPromise;
  readonly since: Date;
  /** When the tier ends; null: never. */
  readonly until: Date | null;
  /** Before it no session may begin, after a refund; null: no such rule. */
  readonly notBefore: Date | null;
}

/** The stretch of days that an instant lies in; what is not used in it ends with it. */
export function windowAt({ promise, since }: Pick<Entitlement, "promise" | "since">, instant: Date): Range {
  const length = promise.everyDays * DAY;
  const number = Math.floor((instant.getTime() - since.getTime()) / length);
  const startsAt = after(since, number * length);
  return { startsAt, endsAt: after(startsAt, length) };
}

/** Whether a booking counts: it is to come or was held, or the student did not come, or cancelled late, and was not forgiven. */
export function counts({ state, isLate, isForgiven, cancelledBy }: Omit<CountedBooking, "id" | "startsAt">): boolean {
  if (isForgiven) return false;
  if (state === "cancelled") return isLate && cancelledBy === "student";
  return state !== "missed-by-coach";
}

/** What is left for a session that begins at an instant. */
export interface Left {
  readonly window: Range;
  /** Of the window's own sessions. */
  readonly own: number;
  /** Extra sessions that are good at that instant and used by no booking. */
  readonly extra: number;
}

/**
 * What a student has left for a session that begins at `instant`.
 * @param exceptId a booking that is about to move: it counts nowhere.
 */
export function leftAt(
  entitlement: Pick<Entitlement, "promise" | "since">,
  bookings: readonly CountedBooking[],
  extras: readonly ExtraSession[],
  instant: Date,
  exceptId?: string,
): Left {
  const window = windowAt(entitlement, instant);
  const byExtra = new Set(extras.flatMap(({ bookingId }) => bookingId ?? []));
  const used = bookings.filter(
    (booking) =>
      booking.id !== exceptId &&
      booking.startsAt >= window.startsAt &&
      booking.startsAt < window.endsAt &&
      !byExtra.has(booking.id) &&
      counts(booking),
  );
  const extra = extras.filter(
    ({ bookingId, expiresAt }) => (bookingId === null || bookingId === exceptId) && expiresAt > instant,
  );
  return { window, own: Math.max(0, entitlement.promise.sessions - used.length), extra: extra.length };
}

/** The extra session that a booking at `instant` uses: the one that expires first. */
export function extraFor(extras: readonly ExtraSession[], instant: Date): ExtraSession | null {
  const good = extras.filter(({ bookingId, expiresAt }) => bookingId === null && expiresAt > instant);
  return good.toSorted((a, b) => a.expiresAt.getTime() - b.expiresAt.getTime() || (a.id < b.id ? -1 : 1))[0] ?? null;
}
