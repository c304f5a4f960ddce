import type { FastifyInstance } from "fastify";
import { previewRefund, recordDispute, refundPurchase } from "#contract/admin/purchases.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { bookDispute, describeRefund, refund } from "./administration.ts";

export function refundRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, previewRefund, ({ params, query }) =>
    describeRefund(ctx, params.purchaseId, { ...query, endAccess: query.endAccess === "true" }),
  );
  serve(scope, refundPurchase, ({ request, body }) => refund(ctx, studentOf(request), body));

  serve(scope, recordDispute, async ({ request, body }) => {
    await bookDispute(ctx, studentOf(request), body);
    return { success: true as const, message: "Dispute recorded" };
  });
}
