import type { FastifyInstance } from "fastify";
import {
  cancelSubscription,
  countPurchases as countPurchasesCall,
  getPurchaseDetail,
  holdAccount,
  listAllPurchases,
} from "#contract/admin/purchases.ts";
import { cancel, hold } from "#server/admin/users/actions.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { countPurchases, describePurchase, listPurchases } from "./purchases.ts";

export function administeredPurchaseRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, listAllPurchases, ({ request, query }) => listPurchases(ctx, studentOf(request), query));
  serve(scope, countPurchasesCall, ({ query }) => countPurchases(ctx, query));
  serve(scope, getPurchaseDetail, ({ request, params }) =>
    describePurchase(ctx, studentOf(request), params.purchaseId),
  );

  serve(scope, cancelSubscription, async ({ request, body: { userId, subscriptionId, reason } }) => {
    await cancel(ctx, { actor: studentOf(request), userId, reason }, subscriptionId);
    return { success: true as const, message: "Subscription cancelled successfully" };
  });
  serve(scope, holdAccount, async ({ request, body: { userId, subscriptionId, reason } }) => {
    await hold(ctx, { actor: studentOf(request), userId, reason }, subscriptionId);
    return { success: true as const, message: "Account placed on hold" };
  });
}
