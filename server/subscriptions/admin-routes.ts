import type { FastifyInstance } from "fastify";
import { getRenewals, resumeRenewals } from "#contract/admin/renewals.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { listObstacles, startRenewalTrial } from "./renewal-stops.ts";

export function renewalRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, getRenewals, async () => ({ obstacles: await listObstacles(ctx.db) }));

  serve(scope, resumeRenewals, async ({ request, body }) => {
    await startRenewalTrial(ctx, studentOf(request), body.reason);
    return { obstacles: await listObstacles(ctx.db) };
  });
}
