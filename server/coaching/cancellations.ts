import { eq } from "drizzle-orm";
import type { CancelledBy } from "#contract/coaching/coaching.ts";
import { audited } from "#server/audit/audit.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { recordEvent } from "#server/deliveries/events.ts";
import { lockUser, type User } from "#server/identity/users.ts";
import { counts } from "./allowance.ts";
import { sessionCancelledEmail } from "./emails.ts";
import { giveExtra, returnExtra } from "./extra-sessions.ts";
import { getBooking, lockOwnBooking } from "./own-booking.ts";
import { type BookingRow, listLapses, lockBooking } from "./queries.ts";
import { isForgiven, isLate } from "./rules.ts";
import { emailBoth, eventOf } from "./session-facts.ts";
import { bookings } from "./tables.ts";

/**
 * A late cancellation uses up the session, except the first in a year. Safe to repeat.
 * @throws Refusal too-late, conflict.
 */
export async function cancelBooking(ctx: Context, user: User, bookingId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, user.id);
    const now = ctx.clock.now();
    const booking = await lockOwnBooking(tx, { userId: user.id, bookingId });
    if (booking.state === "cancelled") return;
    if (booking.state !== "booked") throw new Refusal("conflict", "This session is over.");
    if (now >= booking.startsAt) throw new Refusal("too-late", "This session has already started.");
    const late = isLate(booking.startsAt, now);
    const forgiven = late && isForgiven(await listLapses(tx, user.id), now);
    await cancel(tx, booking, { by: "student", isLate: late, isForgiven: forgiven }, now);
  });
}

/** At no cost. @throws Refusal not-found, conflict. */
export async function cancelForStudent(ctx: Context, actor: User, bookingId: string, reason: string): Promise<void> {
  const { userId, state, startsAt } = await getBooking(ctx.db, bookingId);
  await audited(ctx, { actor, action: "cancel session", subject: userId, reason }, async (tx, now) => {
    await lockUser(tx, userId);
    if (!(await cancelFor(tx, bookingId, "administrator", now))) {
      throw new Refusal("conflict", "This session is no longer booked.");
    }
    return { before: { bookingId, startsAt, state }, after: { bookingId, startsAt, state: "cancelled" } };
  });
}

/**
 * Returns the session to the student, and one more if the coach cancels. Lock the student first. False when it was no
 * longer booked.
 */
export async function cancelFor(
  tx: Db,
  bookingId: string,
  by: Exclude<CancelledBy, "student">,
  now: Date,
): Promise<boolean> {
  const booking = await lockBooking(tx, bookingId);
  if (booking?.state !== "booked") return false;
  await cancel(tx, booking, { by, isLate: false, isForgiven: false }, now);
  if (by === "coach") await giveExtra(tx, booking.userId, "your coach cancelled", `coach-cancelled:${bookingId}`, now);
  return true;
}

async function cancel(
  tx: Db,
  booking: BookingRow,
  how: { readonly by: CancelledBy; readonly isLate: boolean; readonly isForgiven: boolean },
  now: Date,
): Promise<void> {
  const { id } = booking;
  const sequence = booking.sequence + 1;
  const { by: cancelledBy, ...lateness } = how;
  const after = { state: "cancelled" as const, cancelledBy, ...lateness, sequence, closedAt: now };
  await tx.update(bookings).set(after).where(eq(bookings.id, id));
  await recordEvent(tx, "booking.cancelled", eventOf(booking), now);
  if (!counts({ ...booking, ...after })) await returnExtra(tx, id, now);
  await emailBoth(tx, sessionCancelledEmail, { ...booking, sequence }, { occasion: `${id}:${sequence}` }, now);
}
