import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { lockUser } from "#server/identity/users.ts";
import { requireNoOpenPayment } from "#server/payments/forget.ts";
import { listCustomers } from "#server/payments/payment-methods.ts";
import { listSubscriptions } from "./queries.ts";
import { stopRenewal } from "./subscriptions.ts";

/** @throws Refusal payment-in-progress; GatewayUnavailable, and then nothing is forgotten. */
export async function endSubscriptionsOf(ctx: Context, userId: string, reason: string): Promise<void> {
  const customers = await ctx.db.transaction(async (tx) => {
    await lockUser(tx, userId);
    await requireNoOpenPayment(tx, userId);
    const now = ctx.clock.now();
    for (const subscription of await listSubscriptions(tx, userId)) await stopRenewal(tx, subscription, reason, now);
    return listCustomers(tx, userId);
  });
  for (const customerProfileId of customers) await ctx.gateway.deleteCustomer(customerProfileId);
}

/** In the transaction that forgets the student: one may have begun since. @throws Refusal conflict. */
export async function requireNothingRenews(tx: Db, userId: string): Promise<void> {
  const subscriptions = await listSubscriptions(tx, userId);
  if (subscriptions.every(({ status }) => status === "cancelled")) return;
  throw new Refusal("conflict", "A payment was made while the account was being deleted. Please try again.");
}
