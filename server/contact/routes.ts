import type { FastifyInstance } from "fastify";
import { sendContactMessage } from "#contract/contact.ts";
import type { Context } from "#server/context/context.ts";
import { clientOf } from "#server/http/client.ts";
import { serve } from "#server/http/serve.ts";
import { receiveMessage } from "./contact.ts";

export function contactRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, sendContactMessage, async ({ body, request }) => {
    await receiveMessage(ctx, body, clientOf(request));
    return { success: true as const, message: "Your message has been sent successfully. We'll get back to you soon!" };
  });
}
