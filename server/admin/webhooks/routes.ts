import type { FastifyInstance } from "fastify";
import * as contract from "#contract/admin/webhooks.ts";
import type { Context } from "#server/context/context.ts";
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  resend,
  rotateSecret,
  sendTest,
} from "#server/deliveries/webhooks.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";

const done = (message: string) => ({ success: true as const, message });

export function webhookRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, contract.listWebhooks, () => listWebhooks(ctx));
  serve(scope, contract.createWebhook, async ({ request, reply, body }) => {
    reply.code(201);
    return createWebhook(ctx, studentOf(request), body);
  });
  serve(scope, contract.changeWebhook, async ({ request, params, body }) => {
    await changeWebhook(ctx, studentOf(request), params.id, body);
    return done("Webhook saved");
  });
  serve(scope, contract.deleteWebhook, async ({ request, params }) => {
    await deleteWebhook(ctx, studentOf(request), params.id);
    return done("Webhook deleted");
  });
  serve(scope, contract.testWebhook, async ({ params }) => {
    await sendTest(ctx, params.id);
    return done("We’re sending a test");
  });
  serve(scope, contract.rotateWebhookSecret, ({ request, params }) => rotateSecret(ctx, studentOf(request), params.id));
  serve(scope, contract.listWebhookDeliveries, ({ params, query }) => listDeliveries(ctx, params.id, query));
  serve(scope, contract.resendWebhook, async ({ params }) => {
    await resend(ctx, params.id, params.deliveryId);
    return done("We’re sending it again");
  });
}
