import type { FastifyInstance } from "fastify";
import * as audit from "#contract/admin/audit.ts";
import * as figures from "#contract/admin/figures.ts";
import * as statistics from "#contract/admin/statistics.ts";
import { announcementRoutes } from "#server/announcements/admin-routes.ts";
import { contentRoutes } from "#server/catalogue/admin-routes.ts";
import { claimRoutes } from "#server/claims/admin-routes.ts";
import { coachingAdministrationRoutes } from "#server/coaching/admin-routes.ts";
import { inboxRoutes } from "#server/contact/admin-routes.ts";
import { serve } from "#server/http/serve.ts";
import { videoRoutes } from "#server/lessons/admin-routes.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { peopleRoutes } from "#server/people/admin-routes.ts";
import { teamRoutes } from "#server/people/team/admin-routes.ts";
import { anyReceiptRoutes } from "#server/receipts/admin-routes.ts";
import { reconciliationRoutes } from "#server/reconciliation/admin-routes.ts";
import { refundRoutes } from "#server/refunds/admin-routes.ts";
import { renewalRoutes } from "#server/subscriptions/admin-routes.ts";
import { bulkRoutes } from "./bulk/routes.ts";
import { couponRoutes } from "./coupons/routes.ts";
import { exportRoutes } from "./exports/routes.ts";
import { describeFunnel, describeLifetimeValue, describeRetention, describeSignUps } from "./figures/figures.ts";
import { listAudit } from "./history/history.ts";
import { describeLearning } from "./learning/learning.ts";
import { administeredPurchaseRoutes } from "./purchases/routes.ts";
import { describeMoney } from "./statistics/money.ts";
import { describeStats } from "./statistics/stats.ts";
import { userRoutes } from "./users/routes.ts";

/** The routes of the administration, except uploads, which need a scope of their own. */
export function administrationRoutes(scope: FastifyInstance, ctx: PaymentContext): void {
  userRoutes(scope, ctx);
  bulkRoutes(scope, ctx);
  peopleRoutes(scope, ctx);
  administeredPurchaseRoutes(scope, ctx);
  refundRoutes(scope, ctx);
  anyReceiptRoutes(scope, ctx);
  inboxRoutes(scope, ctx);
  contentRoutes(scope, ctx);
  videoRoutes(scope, ctx);
  claimRoutes(scope, ctx);
  teamRoutes(scope, ctx);
  couponRoutes(scope, ctx);
  announcementRoutes(scope, ctx);
  coachingAdministrationRoutes(scope, ctx);
  exportRoutes(scope, ctx);
  reconciliationRoutes(scope, ctx);
  renewalRoutes(scope, ctx);

  serve(scope, audit.listAudit, ({ query }) => listAudit(ctx, query));
  serve(scope, statistics.getStats, () => describeStats(ctx));
  serve(scope, statistics.getMoney, ({ query }) => describeMoney(ctx, query));
  serve(scope, statistics.getLearning, () => describeLearning(ctx));
  serve(scope, figures.getSignUps, ({ query }) => describeSignUps(ctx, query));
  serve(scope, figures.getFunnel, ({ query }) => describeFunnel(ctx, query));
  serve(scope, figures.getRetention, () => describeRetention(ctx));
  serve(scope, figures.getLifetimeValue, () => describeLifetimeValue(ctx));
}
