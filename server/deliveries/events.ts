import { and, arrayContains, isNull } from "drizzle-orm";
import { z } from "zod";
import type { WebhookEvent } from "#contract/webhook-events.ts";
import { DAY } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { defineJob, scheduleJobs } from "#server/jobs/jobs.ts";
import { type DeliveryRow, webhookDeliveries, webhookEndpoints } from "./tables.ts";

export const deliverWebhookJob = defineJob("deliver-webhook", z.object({ deliveryId: z.string() }), {
  lane: "webhooks",
});

/** Ids and facts, without names, addresses or texts of people. */
interface EventData {
  /** Of what the event is about. */
  readonly id: string;
  readonly userId: string;
  readonly [fact: string]: string | number | boolean | null;
}

/** Whether an address asked for such events. */
export async function isAwaited(db: Db, type: WebhookEvent): Promise<boolean> {
  return (await listReceivers(db, type)).length > 0;
}

/** Has an event sent to all addresses that asked for it, once the transaction commits. */
export async function recordEvent(tx: Db, type: WebhookEvent, data: EventData, now: Date): Promise<void> {
  await addDeliveries(tx, await listReceivers(tx, type), { type, data }, now);
}

async function listReceivers(db: Db, type: WebhookEvent): Promise<string[]> {
  const rows = await db
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(and(isNull(webhookEndpoints.stoppedAt), arrayContains(webhookEndpoints.events, [type])))
    .orderBy(webhookEndpoints.id)
    // One that is deleted meanwhile would fail the transaction that causes the event.
    .for("key share");
  return rows.map(({ id }) => id);
}

export async function addDeliveries(
  tx: Db,
  webhookIds: readonly string[],
  { type, data }: { readonly type: DeliveryRow["type"]; readonly data: object },
  now: Date,
): Promise<void> {
  if (webhookIds.length === 0) return;
  const eventId = newId();
  const body = JSON.stringify({ type, timestamp: now.toISOString(), data });
  const deliveries = await tx
    .insert(webhookDeliveries)
    .values(webhookIds.map((webhookId) => ({ webhookId, eventId, type, body, createdAt: now, nextAttemptAt: now })))
    .returning();
  await scheduleDeliveries(tx, deliveries, now);
}

/** At each delivery's `nextAttemptAt`. */
export function scheduleDeliveries(tx: Db, deliveries: readonly DeliveryRow[], now: Date): Promise<void> {
  return scheduleJobs(
    tx,
    deliverWebhookJob,
    deliveries.map(({ id, nextAttemptAt }) => ({
      data: { deliveryId: id },
      runAt: nextAttemptAt ?? now,
      now,
    })),
  );
}

export const deliveryRetention: RetentionRule = {
  table: webhookDeliveries,
  from: webhookDeliveries.createdAt,
  keptFor: 30 * DAY,
};
