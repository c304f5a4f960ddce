import { after, DAY, HOUR, MINUTE, SECOND } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { scheduleDeliveries } from "./events.ts";
import {
  failWaiting,
  findDelivery,
  findWebhook,
  lockWebhook,
  takeQueued,
  updateDelivery,
  updateWebhook,
} from "./queries.ts";
import { type Answer, send } from "./sending.ts";
import type { DeliveryRow, WebhookRow } from "./tables.ts";
import { secretsOf } from "./webhooks.ts";

/** Between one attempt and the next. */
const delays = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;
/** A delay is up to this much longer, so that receivers that come back are not flooded. */
const jitter = 0.1;
/** An address that has failed for this long is stopped. */
const patience = 5 * DAY;
/** An address that nothing was sent to for this long may work again. Longer than the longest delay. */
const rest = 27 * HOUR;
const postponedFor = 10 * MINUTE;
/** How many deliveries a node makes to one address at a time, so that a slow one leaves workers to the others. The rest wait without a job. */
const share = { working: 3, failing: 1 };
/** At most one entry for each webhook, of about 100 bytes: 1 kB. */
const underWay = new Map<string, number>();

/** Injected, because deliveries know nothing of owners and restores. */
interface Surroundings {
  /** False after a restore, until an owner has looked: a copy of an academy must tell other programs nothing. */
  mayDeliver(db: Db): Promise<boolean>;
  onStopped(
    tx: Db,
    stopped: { readonly id: string; readonly host: string; readonly isGone: boolean },
    now: Date,
  ): Promise<void>;
}

/** Makes one attempt, and schedules the next one. After a kill the receiver may get it again, with the same id. */
export async function deliverWebhook(
  ctx: Context,
  { deliveryId }: { readonly deliveryId: string },
  surroundings: Surroundings,
): Promise<void> {
  const delivery = await findDelivery(ctx.db, deliveryId);
  const webhook = delivery && (await findWebhook(ctx.db, delivery.webhookId));
  const at = ctx.clock.now();
  // A job of before the delivery was sent again by hand.
  if (!webhook || delivery.state !== "waiting" || (delivery.nextAttemptAt ?? at) > at) return;
  if (webhook.stoppedAt !== null) return failStopped(ctx, delivery);
  if (!(await surroundings.mayDeliver(ctx.db))) return postpone(ctx, delivery);
  const most = webhook.failingSince === null ? share.working : share.failing;
  const isFull = () => (underWay.get(webhook.id) ?? 0) >= most;
  if (isFull()) {
    await updateDelivery(ctx.db, delivery.id, { nextAttemptAt: null });
    // One that has finished meanwhile may not have seen this one.
    if (!isFull()) await ctx.db.transaction((tx) => scheduleNext(tx, webhook.id, at));
    return;
  }
  const answer = await sendCounted(ctx, webhook, delivery, at);
  await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    await recordAnswer(tx, delivery, answer, surroundings, now);
    await scheduleNext(tx, webhook.id, now);
  });
}

/** It no longer counts when this returns: what finishes looks for a delivery that waits afterwards, so that none is left. */
async function sendCounted(
  ctx: Context,
  webhook: WebhookRow,
  { eventId, body }: DeliveryRow,
  at: Date,
): Promise<Answer> {
  underWay.set(webhook.id, (underWay.get(webhook.id) ?? 0) + 1);
  try {
    const message = { id: eventId, at, body, secrets: secretsOf(ctx, webhook, at) };
    return await send(webhook.url, message, { allowsPrivate: ctx.allowsPrivateWebhooks });
  } finally {
    const left = (underWay.get(webhook.id) ?? 1) - 1;
    if (left > 0) underWay.set(webhook.id, left);
    else underWay.delete(webhook.id);
  }
}

/** Each delivery that finishes starts one that waits for its address: a backlog costs two jobs for each attempt. */
async function scheduleNext(tx: Db, webhookId: string, now: Date): Promise<void> {
  const next = await takeQueued(tx, webhookId, now);
  if (next) await scheduleDeliveries(tx, [next], now);
}

/** Of an event that was recorded while the webhook was stopped. */
async function failStopped(ctx: Context, { id, webhookId }: DeliveryRow): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { stoppedAt } = await lockWebhook(tx, webhookId);
    if (stoppedAt !== null) await updateDelivery(tx, id, { state: "failed", problem: stopped, nextAttemptAt: null });
  });
}

async function postpone(ctx: Context, { id }: DeliveryRow): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const later = await updateDelivery(tx, id, { nextAttemptAt: after(now, postponedFor) });
    if (later) await scheduleDeliveries(tx, [later], now);
  });
}

const stopped = "We’ve stopped sending to this address.";

async function recordAnswer(
  tx: Db,
  { id, webhookId, attempts }: DeliveryRow,
  answer: Answer,
  { onStopped }: Surroundings,
  now: Date,
): Promise<void> {
  const webhook = await lockWebhook(tx, webhookId);
  const tried = { attempts: attempts + 1, status: answer.status, problem: answer.problem, lastAttemptAt: now };
  if (answer.problem === null) {
    await updateDelivery(tx, id, { ...tried, state: "delivered", nextAttemptAt: null });
    await updateWebhook(tx, webhookId, { lastDeliveredAt: now, failingSince: null, lastFailedAt: null });
    return;
  }
  if (webhook.stoppedAt !== null) {
    await updateDelivery(tx, id, { ...tried, state: "failed", nextAttemptAt: null });
    return;
  }
  const nextAttemptAt = nextAttempt(attempts, answer.retryAfter, now);
  const state = nextAttemptAt ? "waiting" : "failed";
  const updated = await updateDelivery(tx, id, { ...tried, state, nextAttemptAt });
  const isRested = webhook.lastFailedAt === null || after(webhook.lastFailedAt, rest) < now;
  const failingSince = isRested ? now : (webhook.failingSince ?? now);
  const stoppedBecause = reasonToStop(answer, failingSince, now);
  await updateWebhook(tx, webhookId, {
    failingSince,
    lastFailedAt: now,
    ...(stoppedBecause && { stoppedBecause, stoppedAt: now }),
  });
  if (!stoppedBecause) {
    if (updated && nextAttemptAt) await scheduleDeliveries(tx, [updated], now);
    return;
  }
  await failWaiting(tx, webhookId, stopped);
  const facts = { host: new URL(webhook.url).host, isGone: stoppedBecause === "gone" };
  await onStopped(tx, { ...facts, id: webhookId }, now);
}

function reasonToStop({ status }: Answer, failingSince: Date, now: Date): WebhookRow["stoppedBecause"] {
  if (status === 410) return "gone";
  return after(failingSince, patience) <= now ? "failing" : null;
}

/** Null after the last one. */
function nextAttempt(attempts: number, retryAfter: string | undefined, now: Date): Date | null {
  const delay = delays[attempts];
  if (delay === undefined) return null;
  const asked = Math.min(millisecondsOf(retryAfter, now), DAY);
  return after(now, Math.round(Math.max(delay * (1 + jitter * Math.random()), asked)));
}

/** Of `Retry-After`: seconds or a date; 0 for neither. */
function millisecondsOf(retryAfter: string | undefined, now: Date): number {
  if (retryAfter === undefined) return 0;
  const wanted = /^\d+$/.test(retryAfter) ? Number(retryAfter) * SECOND : Date.parse(retryAfter) - now.getTime();
  return Number.isFinite(wanted) && wanted > 0 ? wanted : 0;
}
