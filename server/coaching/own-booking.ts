import { notFound } from "#server/base/refusal.ts";
import type { Db } from "#server/db/db.ts";
import { type BookingRow, type BookingWithCoach, findBooking, lockBooking } from "./queries.ts";

/** Null for another user's booking. */
interface Own {
  readonly userId: string;
  readonly bookingId: string;
}

/** Whoever booked it. @throws Refusal not-found. */
export async function getBooking(db: Db, bookingId: string): Promise<BookingRow> {
  const found = await findBooking(db, bookingId);
  if (!found) throw notFound("session");
  return found.booking;
}

/** @throws Refusal not-found. */
export async function getOwnBooking(db: Db, { userId, bookingId }: Own): Promise<BookingWithCoach> {
  const found = await findBooking(db, bookingId);
  if (found?.booking.userId !== userId) throw notFound("session");
  return found;
}

/** Locks the booking until the transaction ends. Lock the student first. @throws Refusal not-found. */
export async function lockOwnBooking(tx: Db, { userId, bookingId }: Own): Promise<BookingRow> {
  const booking = await lockBooking(tx, bookingId);
  if (booking?.userId !== userId) throw notFound("session");
  return booking;
}
