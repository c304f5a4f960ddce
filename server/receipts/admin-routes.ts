import { create as attachment } from "content-disposition";
import type { FastifyInstance } from "fastify";
import { getAnyReceiptPdf } from "#contract/admin/purchases.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { receiptAsPdf, receiptOf } from "./receipts.ts";

export function anyReceiptRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, getAnyReceiptPdf, async ({ params, reply }) => {
    const receipt = await receiptOf(ctx, params.id);
    reply.type("application/pdf").header("content-disposition", attachment(`receipt-${receipt.receiptId}.pdf`));
    return receiptAsPdf(ctx, receipt);
  });
}
