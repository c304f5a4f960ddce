import type { Context } from "#server/context.ts";
import { lockUser } from "#server/identity/users.ts";
import { requireNoOpenPayment } from "#server/payments/forget.ts";
import { listMemberships } from "./queries.ts";
import { stopRenewal } from "./subscriptions.ts";

/**
 * Before an account is deleted: every renewal is stopped, and the gateway forgets the customer with every card.
 * @throws Refusal payment-in-progress while a payment is open. @throws GatewayUnavailable: nothing can be forgotten now.
 */
export async function endMembershipsOf(ctx: Context, userId: string, reason: string): Promise<void> {
  const customers = await ctx.db.transaction(async (tx) => {
    await lockUser(tx, userId);
    await requireNoOpenPayment(tx, userId);
    const now = ctx.clock.now();
    const memberships = await listMemberships(tx, userId);
    for (const membership of memberships) {
      if (membership.subscriptionStatus !== "cancelled") await stopRenewal(tx, membership, reason, now);
    }
    return new Set(memberships.flatMap(({ customerProfileId }) => customerProfileId ?? []));
  });
  for (const customerProfileId of customers) await ctx.gateway.deleteCustomer(customerProfileId);
}
