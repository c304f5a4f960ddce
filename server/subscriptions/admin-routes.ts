import type { FastifyInstance } from "fastify";
import { getRenewals, resumeRenewals } from "#contract/admin/renewals.ts";
import { recordAudit } from "#server/audit/audit.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { listObstacles, startRenewalTrial } from "./renewal-stops.ts";

export function renewalRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, getRenewals, async () => ({ obstacles: await listObstacles(ctx.db) }));

  serve(scope, resumeRenewals, async ({ request, body }) => {
    const { id: actor } = studentOf(request);
    await ctx.db.transaction(async (tx) => {
      const now = ctx.clock.now();
      if (!(await startRenewalTrial(tx, now))) throw new Refusal("conflict", "The gateway takes our credentials.");
      const line = { actor, action: "resume renewals", subject: "renewals", reason: body.reason };
      await recordAudit(tx, line, now);
    });
    return { obstacles: await listObstacles(ctx.db) };
  });
}
