import { eq } from "drizzle-orm";
import { timeInZone } from "#contract/coaching/times.ts";
import { Refusal } from "#server/base/refusal.ts";
import { recordMessage } from "#server/contact/contact.ts";
import type { Context } from "#server/context/context.ts";
import { lockLiveUser, type User } from "#server/identity/users.ts";
import { getOwnBooking, lockOwnBooking } from "./own-booking.ts";
import { isContestable } from "./rules.ts";
import { bookings } from "./tables.ts";

/** Once, within 7 days. @throws Refusal not-found, conflict, too-late. */
export async function contestBooking(
  ctx: Context,
  user: User,
  bookingId: string,
  { text, clientHash }: { readonly text: string; readonly clientHash: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { email, firstName, lastName } = await lockLiveUser(tx, user.id);
    const now = ctx.clock.now();
    const booking = await lockOwnBooking(tx, { userId: user.id, bookingId });
    if (booking.contestedAt)
      throw new Refusal("conflict", "You've already written to us about this session. We'll answer by email.");
    if (booking.state === "booked" || booking.state === "cancelled") {
      throw new Refusal("conflict", "Your coach hasn't marked this session yet.");
    }
    if (!isContestable(booking, now)) {
      throw new Refusal("too-late", "You can report this within 7 days of the session. Please contact us instead.");
    }
    await tx.update(bookings).set({ contestedAt: now }).where(eq(bookings.id, bookingId));
    const { coach } = await getOwnBooking(tx, { userId: user.id, bookingId });
    const when = timeInZone(booking.startsAt, booking.studentZone);
    const message = `About my coaching session with ${coach.displayName}, ${when} (${bookingId}), marked as ${stateWords[booking.state]}:\n\n${text}`;
    const name = [firstName, lastName].filter(Boolean).join(" ") || email;
    await recordMessage(tx, { name, email, message, clientHash }, now);
  });
}

const stateWords = {
  held: "held",
  "missed-by-student": "missed by me",
  "missed-by-coach": "missed by the coach",
} as const;
