import { Refusal } from "#server/base/refusal.ts";
import type { Db } from "#server/db/db.ts";
import { type BookingRow, type BookingWithCoach, findBooking, lockBooking } from "./queries.ts";

/** Whose booking it must be: that of anybody else is none. */
interface Own {
  readonly userId: string;
  readonly bookingId: string;
}

/** A student's own booking. @throws Refusal not-found. */
export async function getOwnBooking(db: Db, { userId, bookingId }: Own): Promise<BookingWithCoach> {
  const found = await findBooking(db, bookingId);
  if (found?.booking.userId !== userId) throw noSuchBooking();
  return found;
}

/** The same, held until the transaction ends. Lock the student first. @throws Refusal not-found. */
export async function lockOwnBooking(tx: Db, { userId, bookingId }: Own): Promise<BookingRow> {
  const booking = await lockBooking(tx, bookingId);
  if (booking?.userId !== userId) throw noSuchBooking();
  return booking;
}

export function noSuchBooking(): Refusal {
  return new Refusal("not-found", "There is no such session.");
}
