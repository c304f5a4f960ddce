import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { DAY } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { findWebhook, insertWebhook, markApplied } from "./queries.ts";
import { compareTransaction } from "./reconciliation.ts";
import { webhooks } from "./tables.ts";

const maxBodyBytes = 64 * 1024;

export const applyWebhookJob = defineJob("apply-webhook", z.object({ webhookId: z.string() }), {
  lane: "gateway",
});

/** Verifies the signature over the raw bytes, stores the webhook with a job, and answers at once. */
export function webhookRoutes(scope: FastifyInstance, ctx: Context): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: maxBodyBytes }, (_request, body, done) =>
    done(null, body),
  );

  scope.post("/api/authorize-net/webhook", { schema: { hide: true } }, async (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const webhook = ctx.gateway.readWebhook(body, request.headers);
    if (!webhook) throw new Refusal("bad-signature", "The signature is not the gateway's.");
    const now = ctx.clock.now();
    await ctx.db.transaction(async (tx) => {
      const { isNew } = await insertWebhook(tx, { ...webhook, body: body.toString("utf8") }, now);
      if (!isNew) return;
      const { id } = webhook;
      await scheduleJob(tx, applyWebhookJob, { data: { webhookId: id }, key: id, runAt: now, now });
    });
    return reply.send({ received: true });
  });
}

/** Does not trust the webhook's content: asks the gateway about its transaction. */
export async function applyWebhook(ctx: PaymentContext, { webhookId }: { webhookId: string }): Promise<void> {
  const webhook = await findWebhook(ctx.db, webhookId);
  if (!webhook || webhook.appliedAt) return;
  if (webhook.transactionId) await compareTransaction(ctx, webhook.transactionId);
  await markApplied(ctx.db, webhookId, ctx.clock.now());
}

export const webhookRetention: RetentionRule = { table: webhooks, from: webhooks.receivedAt, keptFor: 90 * DAY };
