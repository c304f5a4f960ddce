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

/** Beside the promise, returned by us. */
export interface ExtraSession {
  readonly id: string;
  readonly expiresAt: Date;
  readonly bookingId: string | null;
}

/** `since` is the start of the unbroken period of the tier. */
export interface Entitlement {
  readonly promise: CoachingPromise;
  readonly since: Date;
  /** Null: never. */
  readonly until: Date | null;
  /** No session may begin earlier, after a refund. */
  readonly notBefore: Date | null;
}

/** What is not used in a window ends with it. */
export function windowAt({ promise, since }: Pick<Entitlement, "promise" | "since">, instant: Date): Range {
  const length = promise.everyDays * DAY;
  const number = Math.floor((instant.getTime() - since.getTime()) / length);
  const startsAt = after(since, number * length);
  return { startsAt, endsAt: after(startsAt, length) };
}

/** Late cancellations and missed sessions count, unless they are forgiven. */
export function counts({ state, isLate, isForgiven, cancelledBy }: Omit<CountedBooking, "id" | "startsAt">): boolean {
  if (isForgiven) return false;
  if (state === "cancelled") return isLate && cancelledBy === "student";
  return state !== "missed-by-coach";
}

/** For a session that begins at an instant. */
export interface Left {
  readonly window: Range;
  readonly own: number;
  /** Good at that instant and unused. */
  readonly extra: number;
}

/** `exceptId`: a booking that is about to move counts nowhere. */
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

/** The one that expires first. */
export function extraFor(extras: readonly ExtraSession[], instant: Date): ExtraSession | null {
  const good = extras.filter(({ bookingId, expiresAt }) => bookingId === null && expiresAt > instant);
  return good.toSorted((a, b) => a.expiresAt.getTime() - b.expiresAt.getTime() || (a.id < b.id ? -1 : 1))[0] ?? null;
}
