import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { isBlocked } from "#server/access/access.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { recordEvent } from "#server/deliveries/events.ts";
import { lockUser, type User, userById } from "#server/identity/users.ts";
import { defineJob } from "#server/jobs/jobs.ts";
import { counts } from "./allowance.ts";
import { cancelFor } from "./cancellations.ts";
import { missedEmail } from "./emails.ts";
import { requireEntitlement } from "./entitlements.ts";
import { giveExtra, returnExtra } from "./extra-sessions.ts";
import { getOwnBooking } from "./own-booking.ts";
import { type BookingRow, findBooking, listLapses, lockBooking } from "./queries.ts";
import { isForgiven, joinable, settle } from "./rules.ts";
import { emailBoth, eventOf } from "./session-facts.ts";
import { bookings } from "./tables.ts";

/** From 15 minutes before the start to the end. @throws Refusal, also unavailable without a meeting URL. */
export async function joinBooking(ctx: Context, user: User, bookingId: string): Promise<string> {
  const now = ctx.clock.now();
  await requireEntitlement(ctx.db, user, now);
  const { booking, coach } = await getOwnBooking(ctx.db, { userId: user.id, bookingId });
  requireOpenRoom(booking, now);
  const room = roomOf(ctx, coach.meetingUrl, booking.room);
  await ctx.db
    .update(bookings)
    .set({ joinedByStudentAt: booking.joinedByStudentAt ?? now })
    .where(and(eq(bookings.id, bookingId), eq(bookings.state, "booked")));
  return room;
}

/** @throws Refusal conflict before it opens and when it is cancelled, too-late once it is over. */
export function requireOpenRoom(
  session: { readonly startsAt: Date; readonly endsAt: Date; readonly state: string },
  now: Date,
): void {
  if (session.state === "cancelled") throw new Refusal("conflict", "This session was cancelled.");
  const when = joinable(session, now);
  if (when === "early") throw new Refusal("conflict", "The room opens 15 minutes before the session starts.");
  if (when === "late") throw new Refusal("too-late", "This session is over.");
}

/** Replaces `{id}` by `room`, which nobody can guess. @throws Refusal unavailable without a meeting URL. */
export function roomOf(ctx: Context, own: string | null, room: string): string {
  const address = own ?? ctx.meetingUrl;
  if (!address) throw new Refusal("unavailable", "The meeting room isn't set up yet. Please contact us.");
  return address.replaceAll("{id}", room);
}

/** Runs 24 hours before. Cancels the booking of a blocked student, at no cost. */
export const checkBookingJob = defineJob(
  "check-coaching-booking",
  z.object({ bookingId: z.string(), sequence: z.int() }),
);

export async function checkBooking(ctx: Context, of: { bookingId: string; sequence: number }): Promise<void> {
  await withBooking(ctx, of, async (tx, booking, now) => {
    const { accountStatus } = await userById(tx, booking.userId);
    if (isBlocked(accountStatus)) await cancelFor(tx, booking.id, "system", now);
  });
}

/** Runs a day after. Settles a session that nobody marked, by who joined it. */
export const settleBookingJob = defineJob(
  "settle-coaching-booking",
  z.object({ bookingId: z.string(), sequence: z.int() }),
);

export async function settleBooking(ctx: Context, of: { bookingId: string; sequence: number }): Promise<void> {
  await withBooking(ctx, of, (tx, booking, now) => closeBooking(tx, booking, settle(booking), now));
}

/** Does nothing when the booking has changed since the job was scheduled. */
async function withBooking(
  ctx: Context,
  { bookingId, sequence }: { bookingId: string; sequence: number },
  work: (tx: Db, booking: BookingRow, now: Date) => Promise<unknown>,
): Promise<void> {
  const found = await findBooking(ctx.db, bookingId);
  if (!found) return;
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, found.booking.userId);
    const booking = await lockBooking(tx, bookingId);
    if (booking?.state === "booked" && booking.sequence === sequence) await work(tx, booking, ctx.clock.now());
  });
}

/** Call in a transaction that has locked the student. */
export async function closeBooking(
  tx: Db,
  booking: BookingRow,
  state: "held" | "missed-by-student" | "missed-by-coach",
  now: Date,
): Promise<void> {
  const { id, userId } = booking;
  const forgiven = state === "missed-by-student" && isForgiven(await listLapses(tx, userId), now);
  const after = { state, isForgiven: forgiven, isOver: true, closedAt: now };
  await tx.update(bookings).set(after).where(eq(bookings.id, id));
  if (state === "held") await recordEvent(tx, "booking.held", eventOf(booking), now);
  if (!counts({ ...booking, ...after })) await returnExtra(tx, id, now);
  if (state === "missed-by-coach") await giveExtra(tx, userId, "your coach did not come", `coach-missed:${id}`, now);
  if (state !== "held") await emailBoth(tx, missedEmail, booking, { occasion: id }, now);
}
