import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import type { Paging } from "#contract/admin/admin.ts";
import { notFound } from "#server/base/refusal.ts";
import type { Db } from "#server/db/db.ts";
import { selectPage } from "#server/db/paging.ts";
import { type DeliveryRow, type WebhookRow, webhookDeliveries, webhookEndpoints } from "./tables.ts";

export function listWebhookRows(db: Db): Promise<WebhookRow[]> {
  return db.select().from(webhookEndpoints).orderBy(desc(webhookEndpoints.createdAt), asc(webhookEndpoints.id));
}

export async function findWebhook(db: Db, id: string): Promise<WebhookRow | null> {
  const [row] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
  return row ?? null;
}

/** Serializes additions, which must not exceed the limit. */
export async function lockWebhooks(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('webhooks', 0))`);
}

/** @throws Refusal not-found. */
export async function lockWebhook(tx: Db, id: string): Promise<WebhookRow> {
  // Transactions that cause events only hold the key.
  const [row] = await tx.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id)).for("no key update");
  if (!row) throw notFound("webhook");
  return row;
}

export async function insertWebhook(
  tx: Db,
  values: Pick<WebhookRow, "url" | "events" | "createdAt">,
): Promise<WebhookRow> {
  const [row] = await tx.insert(webhookEndpoints).values(values).returning();
  if (!row) throw new Error("an insert returned no row");
  return row;
}

export async function updateWebhook(tx: Db, id: string, change: Partial<WebhookRow>): Promise<void> {
  await tx.update(webhookEndpoints).set(change).where(eq(webhookEndpoints.id, id));
}

export async function deleteWebhookRow(tx: Db, id: string): Promise<void> {
  await tx.delete(webhookEndpoints).where(eq(webhookEndpoints.id, id));
}

export function listDeliveryRows(db: Db, webhookId: string, page: Paging) {
  const { id, createdAt } = webhookDeliveries;
  const part = {
    ...page,
    table: webhookDeliveries,
    id,
    key: createdAt,
    where: eq(webhookDeliveries.webhookId, webhookId),
  };
  return selectPage(db, db.select().from(webhookDeliveries).$dynamic(), part);
}

export async function findDelivery(db: Db, id: string): Promise<DeliveryRow | null> {
  const [row] = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id));
  return row ?? null;
}

export async function updateDelivery(tx: Db, id: string, change: Partial<DeliveryRow>): Promise<DeliveryRow | null> {
  const [row] = await tx.update(webhookDeliveries).set(change).where(eq(webhookDeliveries.id, id)).returning();
  return row ?? null;
}

/** The delivery that has waited longest for others of the address is due now. */
export async function takeQueued(tx: Db, webhookId: string, now: Date): Promise<DeliveryRow | null> {
  const { id, state, nextAttemptAt, createdAt } = webhookDeliveries;
  const queued = tx
    .select({ id })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(state, "waiting"), isNull(nextAttemptAt)))
    .orderBy(asc(createdAt))
    .limit(1)
    .for("update", { skipLocked: true });
  const [row] = await tx
    .update(webhookDeliveries)
    .set({ nextAttemptAt: now })
    .where(eq(id, sql`(${queued})`))
    .returning();
  return row ?? null;
}

/** What still waits for an address that receives nothing any more. */
export async function failWaiting(tx: Db, webhookId: string, problem: string): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ state: "failed", problem, nextAttemptAt: null })
    .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.state, "waiting")));
}
