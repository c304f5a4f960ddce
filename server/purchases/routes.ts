import type { FastifyInstance } from "fastify";
import {
  acceptPayment as acceptPaymentCall,
  getPaymentConfig,
  listPurchases,
  listUserPurchases,
} from "#contract/purchases.ts";
import type { Context } from "#server/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions.ts";
import { acceptPayment, listPurchasesOf } from "./purchases.ts";

/** What the card form needs before anybody signs in. */
export function paymentConfigRoutes(scope: FastifyInstance, ctx: Context): void {
  const { scriptUrl, apiLoginId, clientKey } = ctx.gateway.browser;
  const { environment } = ctx.config.gateway;
  serve(scope, getPaymentConfig, async () => ({ scriptUrl, apiLoginId, clientKey, environment }));
}

export function purchaseRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, acceptPaymentCall, async ({ request, reply, body }) => {
    const result = await acceptPayment(ctx, studentOf(request), body, request.ip);
    reply.code(result.status === "pending" ? 202 : 200);
    return result;
  });
  serve(scope, listUserPurchases, ({ request }) => listPurchasesOf(ctx, studentOf(request)));
  serve(scope, listPurchases, ({ request }) => listPurchasesOf(ctx, studentOf(request)));
}
