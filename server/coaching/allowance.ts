import type { CoachingPromise } from "#contract/coaching/promise.ts";
import { after, DAY } from "#server/base/clock.ts";
import type { Range } from "./slots.ts";

export interface CountedBooking {
  readonly id: string;
  readonly startsAt: Date;
  readonly state: "booked" | "cancelled" | "held" | "missed-by-student" | "missed-by-coach";
  readonly isLate: boolean;
  readonly isForgiven: boolean;
  readonly cancelledBy: "student" | "coach" | "administrator" | "system" | null;
}

/** A session beyond the plan's, which we gave to make up for another one. */
export interface ExtraSession {
  readonly id: string;
  readonly expiresAt: Date;
  readonly bookingId: string | null;
}

/** What a student may book. `since` is the start of the unbroken period of the tier. */
export interface Entitlement {
  readonly promise: CoachingPromise;
  readonly since: Date;
  /** Null: never. */
  readonly until: Date | null;
  /** The earliest start of a session, after a refund. */
  readonly notBefore: Date | null;
}

/** The window of an instant. Unused sessions expire with their window. */
export function windowAt({ promise, since }: Pick<Entitlement, "promise" | "since">, instant: Date): Range {
  const length = promise.everyDays * DAY;
  const number = Math.floor((instant.getTime() - since.getTime()) / length);
  const startsAt = after(since, number * length);
  return { startsAt, endsAt: after(startsAt, length) };
}

/** Whether a booking uses up a session. Late cancellations and missed sessions do, unless they are forgiven. */
export function counts({ state, isLate, isForgiven, cancelledBy }: Omit<CountedBooking, "id" | "startsAt">): boolean {
  if (isForgiven) return false;
  if (state === "cancelled") return isLate && cancelledBy === "student";
  return state !== "missed-by-coach";
}

/** What is left for a session that begins at a given instant. */
export interface Left {
  readonly window: Range;
  readonly own: number;
  /** Unused, and not expired at that instant. */
  readonly extra: number;
}

/** @param exceptId a booking that is being moved and so does not count */
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

/** The usable one that expires first. */
export function extraFor(extras: readonly ExtraSession[], instant: Date): ExtraSession | null {
  const good = extras.filter(({ bookingId, expiresAt }) => bookingId === null && expiresAt > instant);
  return good.toSorted((a, b) => a.expiresAt.getTime() - b.expiresAt.getTime() || (a.id < b.id ? -1 : 1))[0] ?? null;
}
