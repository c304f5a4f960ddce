import { eq } from "drizzle-orm";
import { timeInZone } from "#contract/coaching/times.ts";
import { audited } from "#server/audit/audit.ts";
import { after } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { lockUser, type User } from "#server/identity/users.ts";
import { type Entitlement, extraFor, leftAt } from "./allowance.ts";
import { getBooking } from "./own-booking.ts";
import { listBookingsOf, listExtrasOf } from "./queries.ts";
import { extraGoodFor } from "./rules.ts";
import { extraSessions } from "./tables.ts";

/** The reason for the audit log. Notice periods do not bind administrators. */
export interface ByAdministrator {
  readonly reason: string;
}

/** Uses the plan's sessions first, then extra ones. @throws Refusal no-sessions-left, with the time of the next one. */
export async function spendAllowance(
  tx: Db,
  entitlement: Entitlement,
  booking: { readonly id: string; readonly userId: string; readonly startsAt: Date },
  timeZone: string,
  now: Date,
  by?: ByAdministrator,
): Promise<void> {
  const mine = (await listBookingsOf(tx, booking.userId)).map((row) => row.booking);
  const extras = await listExtrasOf(tx, booking.userId);
  const left = leftAt(entitlement, mine, extras, booking.startsAt, booking.id);
  if (left.own > 0) return;
  if (by && left.extra === 0) {
    await giveExtra(tx, booking.userId, by.reason, `booked-for:${booking.id}:${booking.startsAt.toISOString()}`, now);
    extras.splice(0, extras.length, ...(await listExtrasOf(tx, booking.userId)));
  }
  const extra = extraFor(extras, booking.startsAt) ?? (by ? extras.find(({ bookingId }) => bookingId === null) : null);
  if (!extra) {
    throw new Refusal(
      "no-sessions-left",
      `You don't have a session left for that time. You can book again from ${timeInZone(left.window.endsAt, timeZone, now)}.`,
    );
  }
  await tx.update(extraSessions).set({ bookingId: booking.id }).where(eq(extraSessions.id, extra.id));
}

/** Once for each booking. @throws Refusal not-found, conflict. */
export async function returnSession(ctx: Context, actor: User, bookingId: string, reason: string): Promise<void> {
  const { userId, state } = await getBooking(ctx.db, bookingId);
  await audited(ctx, { actor, action: "return session", subject: userId, reason }, async (tx, now) => {
    await lockUser(tx, userId);
    if (state === "booked") throw new Refusal("conflict", "This session hasn't happened yet. Cancel it instead.");
    if (!(await giveExtra(tx, userId, reason, `returned:${bookingId}`, now))) {
      throw new Refusal("conflict", "This session has already been given back.");
    }
    return { after: { bookingId, extraSessions: 1 } };
  });
}

/** Gives one for each source id. False when it was given before. */
export async function giveExtra(tx: Db, userId: string, reason: string, sourceId: string, now: Date): Promise<boolean> {
  const given = await tx
    .insert(extraSessions)
    .values({ userId, reason, sourceId, expiresAt: after(now, extraGoodFor), createdAt: now })
    .onConflictDoNothing()
    .returning({ id: extraSessions.id });
  return given.length > 0;
}

/** Lets the extra session of a booking be used again, for as long as a new one. */
export async function returnExtra(tx: Db, bookingId: string, now: Date): Promise<void> {
  await tx
    .update(extraSessions)
    .set({ bookingId: null, expiresAt: after(now, extraGoodFor) })
    .where(eq(extraSessions.bookingId, bookingId));
}
