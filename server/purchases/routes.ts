import type { FastifyInstance } from "fastify";
import { acceptPayment as acceptPaymentCall } from "#contract/purchases/purchases.ts";
import { createQuote } from "#contract/purchases/quotes.ts";
import { clientOf } from "#server/http/client.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { requireWritable } from "#server/mail/recipients.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { onReserve } from "#server/payments/routes.ts";
import { acceptPayment } from "./checkout.ts";
import { quote } from "./quotes/quotes.ts";

export function purchaseRoutes(scope: FastifyInstance, ctx: PaymentContext): void {
  serve(scope, createQuote, ({ request, body }) => quote(ctx, studentOf(request), body, clientOf(request)));
  serve(scope, acceptPaymentCall, async ({ request, reply, body }) => {
    await requireWritable(ctx.mail, "customerEmail", body.customerEmail);
    const result = await acceptPayment(onReserve(ctx), studentOf(request), body, clientOf(request));
    reply.code(result.status === "pending" ? 202 : 200);
    return result;
  });
}
