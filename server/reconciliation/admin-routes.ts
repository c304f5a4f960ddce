import type { FastifyInstance } from "fastify";
import {
  getReconciliation,
  ReconciliationQuery,
  repairDiscrepancy,
  runReconciliation,
} from "#contract/admin/reconciliation.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { describeReconciliation, reconcileThoroughly } from "./reconciliation.ts";
import { repair } from "./repairs.ts";

const firstPage = ReconciliationQuery.parse({});

export function reconciliationRoutes(scope: FastifyInstance, ctx: PaymentContext): void {
  serve(scope, getReconciliation, ({ query }) => describeReconciliation(ctx.db, query, ctx.clock.now()));

  serve(scope, runReconciliation, async () => {
    await reconcileThoroughly(ctx);
    return describeReconciliation(ctx.db, firstPage, ctx.clock.now());
  });

  serve(scope, repairDiscrepancy, async ({ request, body }) => {
    const { action = null, charge = null } = body;
    await repair(ctx, { ...body, action, charge, actor: studentOf(request).id });
    return describeReconciliation(ctx.db, firstPage, ctx.clock.now());
  });
}
