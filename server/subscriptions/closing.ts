import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { lockUser } from "#server/identity/users.ts";
import { listChargesOfStudent } from "#server/payments/attempts.ts";
import { requireNoOpenPayment } from "#server/payments/forget.ts";
import { listCustomers } from "#server/payments/payment-methods.ts";
import { listSubscriptions } from "./queries.ts";
import { stopRenewal } from "./subscriptions.ts";

export interface Ended {
  /** The number of the student's charges by then. */
  readonly charges: number;
}

/**
 * Stops renewals and deletes the gateway's customers.
 * @throws Refusal payment-in-progress.
 * @throws GatewayUnavailable when a customer may not be deleted.
 */
export async function endSubscriptionsOf(ctx: Context, userId: string, reason: string): Promise<Ended> {
  const { customers, charges } = await ctx.db.transaction(async (tx) => {
    await lockUser(tx, userId);
    await requireNoOpenPayment(tx, userId);
    const now = ctx.clock.now();
    for (const subscription of await listSubscriptions(tx, userId)) await stopRenewal(tx, subscription, reason, now);
    return { customers: await listCustomers(tx, userId), charges: await countCharges(tx, userId) };
  });
  for (const customerProfileId of customers) await ctx.gateway.deleteCustomer(customerProfileId);
  return { charges };
}

/**
 * Call in the transaction that erases the student, because something may have been paid since.
 * @throws Refusal conflict.
 */
export async function requireNothingSince(tx: Db, userId: string, { charges }: Ended): Promise<void> {
  const subscriptions = await listSubscriptions(tx, userId);
  const isRenewing = subscriptions.some(({ status }) => status !== "cancelled");
  if (!isRenewing && (await countCharges(tx, userId)) === charges) return;
  throw new Refusal("conflict", "A payment went through while we were deleting the account. Please try again.");
}

async function countCharges(tx: Db, userId: string): Promise<number> {
  return (await listChargesOfStudent(tx, userId)).length;
}
