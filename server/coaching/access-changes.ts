import { accessOf } from "#server/access/access.ts";
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
    const entitlement = await entitlementOf(tx, userId, now);
    for (const { booking } of await listBookingsOf(tx, userId)) {
      if (booking.state !== "booked" || booking.startsAt <= now) continue;
      const isCovered = entitlement && (entitlement.until === null || booking.startsAt < entitlement.until);
      if (!isCovered) await cancelFor(tx, booking.id, "system", now);
    }
    await giveUncoveredUp(tx, userId, (await accessOf(tx, userId, now)).tier, now);
  });
}
