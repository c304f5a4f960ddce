import { create as attachment } from "content-disposition";
import type { FastifyInstance } from "fastify";
import { getReceipt, getReceiptPdf, listPayments } from "#contract/purchases/receipts.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { listPaymentsOf, receiptAsPdf, receiptOf } from "./receipts.ts";

export function receiptRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, listPayments, ({ request }) => listPaymentsOf(ctx, studentOf(request).id));
  serve(scope, getReceipt, ({ request, params }) => receiptOf(ctx, params.id, studentOf(request)));
  serve(scope, getReceiptPdf, async ({ request, params, reply }) => {
    const receipt = await receiptOf(ctx, params.id, studentOf(request));
    reply.type("application/pdf").header("content-disposition", attachment(`receipt-${receipt.receiptId}.pdf`));
    return receiptAsPdf(ctx, receipt);
  });
}
