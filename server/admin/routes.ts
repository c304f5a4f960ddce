import type { FastifyInstance } from "fastify";
import { getReconciliation, repairDiscrepancy, runReconciliation } from "#contract/admin/reconciliation.ts";
import { announcementRoutes } from "#server/announcements/admin-routes.ts";
import { recordAudit } from "#server/audit/audit.ts";
import { contentRoutes } from "#server/catalogue/admin-routes.ts";
import { claimRoutes } from "#server/claims/admin-routes.ts";
import { coachingAdministrationRoutes } from "#server/coaching/admin-routes.ts";
import { inboxRoutes } from "#server/contact/admin-routes.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { peopleRoutes } from "#server/people/admin-routes.ts";
import { teamRoutes } from "#server/people/team/admin-routes.ts";
import { describeReconciliation, reconcileThoroughly } from "#server/reconciliation/reconciliation.ts";
import { repair } from "#server/reconciliation/repairs.ts";
import { renewalRoutes } from "#server/subscriptions/admin-routes.ts";
import { bulkRoutes, savedFilterRoutes } from "./bulk/routes.ts";
import { couponRoutes } from "./coupons/routes.ts";
import { exportRoutes } from "./exports/routes.ts";
import { figureRoutes } from "./figures/routes.ts";
import { historyRoutes } from "./history/routes.ts";
import { administeredPurchaseRoutes } from "./purchases/routes.ts";
import { statisticsRoutes } from "./statistics/routes.ts";
import { userRoutes } from "./users/routes.ts";

/** The routes of the administration, except uploads, which need a scope of their own. */
export function administrationRoutes(scope: FastifyInstance, ctx: PaymentContext): void {
  statisticsRoutes(scope, ctx);
  figureRoutes(scope, ctx);
  userRoutes(scope, ctx);
  bulkRoutes(scope, ctx);
  savedFilterRoutes(scope, ctx);
  peopleRoutes(scope, ctx);
  administeredPurchaseRoutes(scope, ctx);
  inboxRoutes(scope, ctx);
  contentRoutes(scope, ctx);
  claimRoutes(scope, ctx);
  teamRoutes(scope, ctx);
  couponRoutes(scope, ctx);
  announcementRoutes(scope, ctx);
  coachingAdministrationRoutes(scope, ctx);
  historyRoutes(scope, ctx);
  exportRoutes(scope, ctx);
  reconciliationRoutes(scope, ctx);
  renewalRoutes(scope, ctx);
}

function reconciliationRoutes(scope: FastifyInstance, ctx: PaymentContext): void {
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
