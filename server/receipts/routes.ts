import { create as attachment } from "content-disposition";
import type { FastifyInstance, FastifyReply } from "fastify";
import { getReceipt, getReceiptPdf, listPayments, type Receipt } from "#contract/purchases/receipts.ts";
import { HOUR } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import { countUse } from "#server/db/rate-limits.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { listPaymentsOf, receiptAsPdf, receiptOf } from "./receipts.ts";

/** Some names take half a second of the server's time. */
const drawings = {
  max: 60,
  window: HOUR,
  message: "You've downloaded too many receipts. Please try again in an hour.",
};

export function receiptRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, listPayments, ({ request }) => listPaymentsOf(ctx, studentOf(request).id));
  serve(scope, getReceipt, ({ request, params }) => receiptOf(ctx, params.id, studentOf(request)));
  serve(scope, getReceiptPdf, async ({ request, params, reply }) => {
    const student = studentOf(request);
    const receipt = await receiptOf(ctx, params.id, student);
    await countUse(ctx.db, `receipt-pdf ${student.id}`, drawings, ctx.clock.now());
    return sendReceipt(ctx, reply, receipt);
  });
}

export function sendReceipt(ctx: Context, reply: FastifyReply, receipt: Receipt): Promise<Buffer> {
  reply.type("application/pdf").header("content-disposition", attachment(`receipt-${receipt.number}.pdf`));
  return receiptAsPdf(ctx, receipt);
}
