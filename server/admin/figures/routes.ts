import type { FastifyInstance } from "fastify";
import { getFunnel, getLifetimeValue, getRetention, getSignUps } from "#contract/admin/figures.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { describeFunnel, describeLifetimeValue, describeRetention, describeSignUps } from "./figures.ts";

export function figureRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, getSignUps, ({ query }) => describeSignUps(ctx, query));
  serve(scope, getFunnel, ({ query }) => describeFunnel(ctx, query));
  serve(scope, getRetention, () => describeRetention(ctx));
  serve(scope, getLifetimeValue, () => describeLifetimeValue(ctx));
}
