import { create as attachment } from "content-disposition";
import type { FastifyInstance } from "fastify";
import {
  cancelSubscription,
  countPurchases as countPurchasesCall,
  getAnyReceiptPdf,
  getPurchaseDetail,
  holdAccount,
  listAllPurchases,
  previewRefund,
  recordDispute,
  refundPurchase,
} from "#contract/admin/purchases.ts";
import { cancel, hold } from "#server/admin/users/actions.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { receiptAsPdf, receiptOf } from "#server/receipts/receipts.ts";
import { bookDispute, describeRefund, refund } from "#server/refunds/administration.ts";
import { countPurchases, describePurchase, listPurchases } from "./purchases.ts";

export function administeredPurchaseRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, listAllPurchases, ({ request, query }) => listPurchases(ctx, studentOf(request), query));
  serve(scope, countPurchasesCall, ({ query }) => countPurchases(ctx, query));
  serve(scope, getPurchaseDetail, ({ request, params }) =>
    describePurchase(ctx, studentOf(request), params.purchaseId),
  );

  serve(scope, cancelSubscription, async ({ request, body: { userId, subscriptionId, reason } }) => {
    await cancel(ctx, { actor: studentOf(request), userId, reason }, subscriptionId);
    return { success: true as const, message: "Subscription cancelled successfully" };
  });
  serve(scope, holdAccount, async ({ request, body: { userId, subscriptionId, reason } }) => {
    await hold(ctx, { actor: studentOf(request), userId, reason }, subscriptionId);
    return { success: true as const, message: "Account placed on hold" };
  });

  serve(scope, previewRefund, ({ params, query }) =>
    describeRefund(ctx, params.purchaseId, { ...query, endAccess: query.endAccess === "true" }),
  );
  serve(scope, refundPurchase, ({ request, body }) => refund(ctx, studentOf(request), body));

  serve(scope, recordDispute, async ({ request, body }) => {
    await bookDispute(ctx, studentOf(request), body);
    return { success: true as const, message: "Dispute recorded" };
  });

  serve(scope, getAnyReceiptPdf, async ({ params, reply }) => {
    const receipt = await receiptOf(ctx, params.id);
    reply.type("application/pdf").header("content-disposition", attachment(`receipt-${receipt.receiptId}.pdf`));
    return receiptAsPdf(ctx, receipt);
  });
}
