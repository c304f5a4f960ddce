import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { webhookEventNames } from "../webhook-events.ts";
import { Done, pageOf, paging, recordId } from "./admin.ts";

export const mostWebhooks = 10;

const WebhookEvent = z.enum(webhookEventNames);

export const WebhookTerms = z.strictObject({
  url: z
    .string()
    .trim()
    .max(500)
    .refine((text) => /^https?:\/\/[^\s/]+/.test(text), "Enter an address that begins with https://."),
  events: z.array(WebhookEvent).min(1, "Select at least one event.").max(webhookEventNames.length),
});
export type WebhookTerms = z.infer<typeof WebhookTerms>;

export const Webhook = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(WebhookEvent),
    createdAt: z.iso.datetime(),
    stoppedAt: z.iso.datetime().nullable().describe("Since when nothing is sent to it; null while it is in use"),
    stoppedBecause: z
      .enum(["gone", "failing", "paused"])
      .nullable()
      .describe("gone: it answered 410; failing: for five days; paused: by somebody of the team"),
    failingSince: z.iso.datetime().nullable().describe("Since when every delivery has failed"),
    lastDeliveredAt: z.iso.datetime().nullable(),
    hasTwoSecrets: z.boolean().describe("For 24 hours after a rotation, deliveries carry the signatures of both"),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof Webhook>;

export const WebhookDelivery = z
  .object({
    id: z.string(),
    eventId: z.string().describe("The header `webhook-id`"),
    type: z.union([WebhookEvent, z.literal("test")]),
    state: z.enum(["waiting", "delivered", "failed"]).describe("waiting: for its first attempt, or for the next one"),
    attempts: z.int(),
    status: z.int().nullable().describe("Of the last answer; null where there was none"),
    problem: z.string().nullable().describe("Why the last attempt failed, as a sentence"),
    body: z.string().describe("As it is sent: JSON"),
    createdAt: z.iso.datetime(),
    lastAttemptAt: z.iso.datetime().nullable(),
    nextAttemptAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

const NewSecret = z.object({
  id: z.string(),
  secret: z.string().describe("`whsec_` and base64; shown this once"),
});

const permission = "settings:write";
const params = z.object({ id: recordId });

export const listWebhooks = endpoint({
  method: "GET",
  path: "/api/admin/webhooks",
  permission,
  summary: "The addresses that receive events, the newest first",
  reply: z.array(Webhook),
});

export const createWebhook = endpoint({
  method: "POST",
  path: "/api/admin/webhooks",
  permission,
  summary: `Adds an address that receives events, by Standard Webhooks. At most ${mostWebhooks}`,
  body: WebhookTerms,
  reply: NewSecret,
  otherReplies: { 201: NewSecret },
});

export const changeWebhook = endpoint({
  method: "PUT",
  path: "/api/admin/webhooks/{id}",
  permission,
  summary: "Changes the address or its events, pauses it or uses it again",
  params,
  body: WebhookTerms.extend({ isPaused: z.boolean().optional().describe("Absent: as it is") }),
  reply: Done,
});

export const deleteWebhook = endpoint({
  method: "DELETE",
  path: "/api/admin/webhooks/{id}",
  permission,
  summary: "Deletes an address with its deliveries",
  params,
  reply: Done,
});

export const testWebhook = endpoint({
  method: "POST",
  path: "/api/admin/webhooks/{id}/test",
  permission,
  summary: "Sends an event of the type `test`",
  params,
  body: z.strictObject({}),
  reply: Done,
});

export const rotateWebhookSecret = endpoint({
  method: "POST",
  path: "/api/admin/webhooks/{id}/rotate",
  permission,
  summary: "Makes a new secret. For 24 hours deliveries are signed with the former one, too",
  params,
  body: z.strictObject({}),
  reply: NewSecret,
});

export const listWebhookDeliveries = endpoint({
  method: "GET",
  path: "/api/admin/webhooks/{id}/deliveries",
  permission,
  summary: "What was sent to an address in the last 30 days, the newest first, a page of it",
  params,
  query: z.strictObject(paging),
  reply: pageOf(WebhookDelivery),
});

export const resendWebhook = endpoint({
  method: "POST",
  path: "/api/admin/webhooks/{id}/deliveries/{deliveryId}/resend",
  permission,
  summary: "Sends a delivery again, with the same id",
  params: params.extend({ deliveryId: recordId }),
  body: z.strictObject({}),
  reply: Done,
});
