import type { Context } from "#server/context/context.ts";
import { lockUser } from "#server/identity/users.ts";
import { cancelFor } from "./cancellations.ts";
import { entitlementOf } from "./entitlements.ts";
import { giveUncoveredUp } from "./live/seats.ts";
import { listBookingsOf } from "./queries.ts";

/**
 * Cancels bookings that are no longer covered, at no cost, and releases seats that the tier does not include. Safe to
 * repeat.
 */
export async function cancelUncovered(ctx: Context, { userId }: { userId: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, userId);
    const now = ctx.clock.now();
    const ahead = (await listBookingsOf(tx, userId)).filter(
      ({ booking }) => booking.state === "booked" && booking.startsAt > now,
    );
    const entitlement = ahead.length > 0 ? await entitlementOf(tx, userId, now) : null;
    for (const { booking } of ahead) {
      const isCovered = entitlement && (entitlement.until === null || booking.startsAt < entitlement.until);
      if (!isCovered) await cancelFor(tx, booking.id, "system", now);
    }
    await giveUncoveredUp(tx, userId, now);
  });
}
