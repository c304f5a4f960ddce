import type { FastifyInstance } from "fastify";
import * as contract from "#contract/admin/purchases.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { cancelActive, holdAccount } from "#server/subscriptions/accounts.ts";
import { countPurchases, describePurchase, listPurchases } from "./purchases.ts";

export function administeredPurchaseRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, contract.listAllPurchases, ({ request, query }) => listPurchases(ctx, studentOf(request), query));
  serve(scope, contract.countPurchases, ({ query }) => countPurchases(ctx, query));
  serve(scope, contract.getPurchaseDetail, ({ request, params }) =>
    describePurchase(ctx, studentOf(request), params.purchaseId),
  );

  serve(scope, contract.cancelSubscription, async ({ request, body: { userId, subscriptionId, reason } }) => {
    await cancelActive(ctx, { actor: studentOf(request), userId, reason }, subscriptionId);
    return { success: true as const, message: "Subscription cancelled successfully" };
  });
  serve(scope, contract.holdAccount, async ({ request, body: { userId, subscriptionId, reason } }) => {
    await holdAccount(ctx, { actor: studentOf(request), userId, reason }, subscriptionId);
    return { success: true as const, message: "Account placed on hold" };
  });
}
