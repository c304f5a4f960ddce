import type { FastifyInstance } from "fastify";
import { getPaymentConfig } from "#contract/purchases/purchases.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";

/** Without sign-in. */
export function paymentConfigRoutes(scope: FastifyInstance, ctx: Context): void {
  const { scriptUrl, apiLoginId, clientKey } = ctx.gateway.browser;
  const { environment } = ctx.gateway;
  serve(scope, getPaymentConfig, async () => {
    const year = ctx.clock.now().getUTCFullYear();
    return { scriptUrl, apiLoginId, clientKey, environment, year };
  });
}

/** Payments use database connections of their own, so that they never wait for other requests. */
export function onReserve<Ctx extends Context>(ctx: Ctx): Ctx {
  return { ...ctx, db: ctx.reserve };
}
