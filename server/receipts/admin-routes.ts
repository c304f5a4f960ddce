import type { FastifyInstance } from "fastify";
import { getAnyReceiptPdf } from "#contract/admin/purchases.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { receiptOf } from "./receipts.ts";
import { sendReceipt } from "./routes.ts";

export function anyReceiptRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, getAnyReceiptPdf, async ({ params, reply }) => sendReceipt(ctx, reply, await receiptOf(ctx, params.id)));
}
