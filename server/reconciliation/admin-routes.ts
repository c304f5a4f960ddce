import type { FastifyInstance } from "fastify";
import { getReconciliation, repairDiscrepancy, runReconciliation } from "#contract/admin/reconciliation.ts";
import { recordAudit } from "#server/audit/audit.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { describeReconciliation, reconcileThoroughly } from "./reconciliation.ts";
import { repair } from "./repairs.ts";

export function reconciliationRoutes(scope: FastifyInstance, ctx: PaymentContext): void {
  serve(scope, getReconciliation, () => describeReconciliation(ctx.db, ctx.clock.now()));

  serve(scope, runReconciliation, async () => {
    await reconcileThoroughly(ctx);
    return describeReconciliation(ctx.db, ctx.clock.now());
  });

  serve(scope, repairDiscrepancy, async ({ request, body }) => {
    const { id: actor } = studentOf(request);
    const { discrepancyId, action: asked = null, charge = null } = body;
    await repair(ctx, { discrepancyId, action: asked, charge, actor }, (tx, found, action, now) => {
      const { id: subject, kind } = found;
      const line = { actor, action: `repair ${kind}`, subject, before: found, after: { action }, reason: body.reason };
      return recordAudit(tx, line, now);
    });
    return describeReconciliation(ctx.db, ctx.clock.now());
  });
}
