import type { FastifyInstance } from "fastify";
import * as contract from "#contract/admin/purchases.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { serveAction } from "#server/identity/serve-action.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { recordDispute } from "./disputes.ts";
import { previewRefund } from "./preview.ts";
import { refundPurchase } from "./refunds.ts";

export function refundRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, contract.previewRefund, ({ params, query }) =>
    previewRefund(ctx, params.purchaseId, { ...query, endAccess: query.endAccess === "true" }),
  );
  serve(scope, contract.refundPurchase, ({ request, body }) =>
    refundPurchase(ctx, { ...body, actor: studentOf(request).id }),
  );

  serveAction(scope, contract.recordDispute, "Dispute recorded", (actor, { body }) => recordDispute(ctx, actor, body));
}
