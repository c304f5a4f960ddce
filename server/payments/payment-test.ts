import type { FastifyInstance } from "fastify";
import { directPayment, testConnection } from "#contract/purchases/purchases.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { newId } from "#server/db/id.ts";
import { GatewayUnavailable } from "#server/gateway/gateway.ts";
import { serve } from "#server/http/serve.ts";

/** Never against the live gateway. Refuses before the body is read, because it contains a card number. */
export function paymentTestRoutes(scope: FastifyInstance, ctx: Context): void {
  scope.addHook("onRequest", async () => {
    if (ctx.gateway.environment === "production") {
      throw new Refusal("not-allowed", "Payment tests are off in production.");
    }
  });

  serve(scope, testConnection, async () => {
    try {
      return await ctx.gateway.testConnection();
    } catch (error) {
      if (!(error instanceof GatewayUnavailable)) throw error;
      return { success: false, message: "The gateway does not answer." };
    }
  });

  serve(scope, directPayment, async ({ body }) => {
    const outcome = await ctx.gateway.chargeTestCard({
      reference: newId(),
      invoiceNumber: newId(),
      amountCents: body.amount * 100,
      number: body.cardNumber,
      expiration: body.expirationDate.replace("/", ""),
      cvv: body.cvv,
    });
    const answer = { method: "direct", endpoint: new URL(ctx.gateway.browser.scriptUrl).host };
    if (outcome.kind === "approved") {
      const voided = await ctx.gateway.voidTransaction({ transactionId: outcome.transactionId, reference: newId() });
      const message =
        voided.kind === "returned"
          ? "The test payment was approved and voided."
          : "The test payment was approved, but we couldn't void it. Please void it at the gateway.";
      return { success: true, message, transactionId: outcome.transactionId, ...answer };
    }
    const message = "message" in outcome ? outcome.message : "The outcome of the test payment is not known.";
    return {
      success: false,
      message,
      transactionId: "transactionId" in outcome ? outcome.transactionId : null,
      ...answer,
    };
  });
}
