import type { FastifyInstance } from "fastify";
import { getLearning, getMoney, getStats } from "#contract/admin/statistics.ts";
import { describeLearning } from "#server/admin/learning/learning.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { describeMoney } from "./money.ts";
import { describeStats } from "./stats.ts";

export function statisticsRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, getStats, () => describeStats(ctx));
  serve(scope, getMoney, ({ query }) => describeMoney(ctx, query));
  serve(scope, getLearning, () => describeLearning(ctx));
}
