import { sql } from "drizzle-orm";
import { check, index, integer, snakeCase, text } from "drizzle-orm/pg-core";
import type { Webhook, WebhookDelivery } from "#contract/admin/webhooks.ts";
import { id, instant, isOneOf } from "#server/db/columns.ts";

/** Addresses of other programs that receive events. */
export const webhookEndpoints = snakeCase.table("webhook_endpoints", {
  id: id(),
  url: text().notNull(),
  events: text().$type<Webhook["events"][number]>().array().notNull(),
  /** The secret is derived from the id and this number, so that no copy of the database contains it. */
  secretNumber: integer().notNull().default(1),
  rotatedAt: instant(),
  stoppedAt: instant(),
  stoppedBecause: text().$type<NonNullable<Webhook["stoppedBecause"]>>(),
  /** Since when every attempt has failed, without a day of rest between two. */
  failingSince: instant(),
  lastFailedAt: instant(),
  lastDeliveredAt: instant(),
  createdAt: instant().notNull(),
});

/** An event on its way to one address. */
export const webhookDeliveries = snakeCase.table(
  "webhook_deliveries",
  {
    id: id(),
    webhookId: text()
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: "cascade" }),
    /** The same for all addresses and attempts. */
    eventId: text().notNull(),
    type: text().$type<WebhookDelivery["type"]>().notNull(),
    /** As it is signed and sent. */
    body: text().notNull(),
    state: text().$type<WebhookDelivery["state"]>().notNull().default("waiting"),
    attempts: integer().notNull().default(0),
    status: integer(),
    problem: text(),
    createdAt: instant().notNull(),
    lastAttemptAt: instant(),
    /** Null while it waits: after others of its address, and without a job. */
    nextAttemptAt: instant(),
  },
  (table) => [
    check("webhook_deliveries_state", isOneOf(table.state, ["waiting", "delivered", "failed"])),
    index("webhook_deliveries_webhook_id").on(table.webhookId, table.createdAt),
    index("webhook_deliveries_created_at").on(table.createdAt),
    index("webhook_deliveries_queued")
      .on(table.webhookId, table.createdAt)
      .where(sql`${table.state} = 'waiting' and ${table.nextAttemptAt} is null`),
  ],
);

export type WebhookRow = typeof webhookEndpoints.$inferSelect;
export type DeliveryRow = typeof webhookDeliveries.$inferSelect;
