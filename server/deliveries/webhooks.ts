import type { Page, Paging } from "#contract/admin/admin.ts";
import { mostWebhooks, type Webhook, type WebhookDelivery, type WebhookTerms } from "#contract/admin/webhooks.ts";
import { audited, differences, recordAudit } from "#server/audit/audit.ts";
import { after, DAY } from "#server/base/clock.ts";
import { invalidFields, notFound, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { addDeliveries, scheduleDeliveries } from "./events.ts";
import {
  deleteWebhookRow,
  failWaiting,
  findDelivery,
  insertWebhook,
  listDeliveryRows,
  listWebhookRows,
  lockWebhook,
  lockWebhooks,
  updateDelivery,
  updateWebhook,
} from "./queries.ts";
import type { DeliveryRow, WebhookRow } from "./tables.ts";

type Actor = { readonly id: string };

/** For this long after a rotation deliveries carry the former secret's signature as well. */
const formerSecretTime = DAY;

export async function listWebhooks({ db, clock }: Context): Promise<Webhook[]> {
  return (await listWebhookRows(db)).map((row) => present(row, clock.now()));
}

/** @throws Refusal invalid-input at the field; conflict when there are ten. */
export async function createWebhook(ctx: Context, actor: Actor, terms: WebhookTerms) {
  requireAddress(ctx, terms.url);
  const made = await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    // Two that are added at the same time must not make eleven.
    await lockWebhooks(tx);
    if ((await listWebhookRows(tx)).length >= mostWebhooks) {
      throw new Refusal("conflict", `You can have ${mostWebhooks} webhooks. Delete one first.`);
    }
    const row = await insertWebhook(tx, { ...termsOf(terms), createdAt: now });
    await recordAudit(tx, { actor: actor.id, action: "create webhook", subject: row.id, after: loggedOf(row) }, now);
    return row;
  });
  return { id: made.id, secret: secretOf(ctx, made) };
}

/** @throws Refusal not-found; invalid-input at the field. */
export async function changeWebhook(
  ctx: Context,
  actor: Actor,
  id: string,
  { isPaused, ...terms }: WebhookTerms & { readonly isPaused?: boolean | undefined },
): Promise<void> {
  requireAddress(ctx, terms.url);
  await audited(ctx, { actor, action: "change webhook", subject: id }, async (tx, now) => {
    const before = await lockWebhook(tx, id);
    const isStopped = before.stoppedAt !== null;
    const stop = { stoppedAt: now, stoppedBecause: "paused" } as const;
    const resume = { stoppedAt: null, stoppedBecause: null, failingSince: null, lastFailedAt: null };
    await updateWebhook(tx, id, {
      ...termsOf(terms),
      ...(isPaused && !isStopped && stop),
      ...(isPaused === false && isStopped && resume),
    });
    if (isPaused) await failWaiting(tx, id, "Sending was paused.");
    return differences(
      { ...loggedOf(before), isPaused: isStopped },
      { ...loggedOf(terms), isPaused: isPaused ?? isStopped },
    );
  });
}

/** @throws Refusal not-found. */
export async function deleteWebhook(ctx: Context, actor: Actor, id: string): Promise<void> {
  await audited(ctx, { actor, action: "delete webhook", subject: id }, async (tx) => {
    const row = await lockWebhook(tx, id);
    await deleteWebhookRow(tx, id);
    return { before: loggedOf(row), after: {} };
  });
}

/** @throws Refusal not-found. */
export async function rotateSecret(ctx: Context, actor: Actor, id: string) {
  const { secretNumber } = await audited(
    ctx,
    { actor, action: "rotate webhook secret", subject: id },
    async (tx, rotatedAt) => {
      const secretNumber = (await lockWebhook(tx, id)).secretNumber + 1;
      await updateWebhook(tx, id, { secretNumber, rotatedAt });
      return { secretNumber, before: undefined };
    },
  );
  return { id, secret: secretOf(ctx, { id, secretNumber }) };
}

/** @throws Refusal not-found; conflict while it is stopped. */
export async function sendTest(ctx: Context, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    requireInUse(await lockWebhook(tx, id));
    await addDeliveries(tx, [id], { type: "test", data: { id } }, ctx.clock.now());
  });
}

/** @throws Refusal not-found. */
export async function listDeliveries({ db }: Context, webhookId: string, page: Paging): Promise<Page<WebhookDelivery>> {
  const { rows, total } = await listDeliveryRows(db, webhookId, page);
  return { rows: rows.map(presentDelivery), total };
}

/** @throws Refusal not-found; conflict while it waits, or the webhook is stopped. */
export async function resend(ctx: Context, webhookId: string, deliveryId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    requireInUse(await lockWebhook(tx, webhookId));
    const found = await findDelivery(tx, deliveryId);
    if (found?.webhookId !== webhookId) throw notFound("delivery");
    if (found.state === "waiting") throw new Refusal("conflict", "This delivery is already waiting to be sent.");
    const now = ctx.clock.now();
    const again = await updateDelivery(tx, deliveryId, { state: "waiting", nextAttemptAt: now });
    if (again) await scheduleDeliveries(tx, [again], now);
  });
}

/** Those whose signatures a delivery carries now, the newest first. */
export function secretsOf(ctx: Pick<Context, "deriveSecret">, row: WebhookRow, now: Date): string[] {
  const former = { ...row, secretNumber: row.secretNumber - 1 };
  return [secretOf(ctx, row), ...(hasTwoSecrets(row, now) ? [secretOf(ctx, former)] : [])];
}

function secretOf(
  { deriveSecret }: Pick<Context, "deriveSecret">,
  { id, secretNumber }: Pick<WebhookRow, "id" | "secretNumber">,
): string {
  return `whsec_${deriveSecret(`webhook ${id} ${secretNumber}`).toString("base64")}`;
}

function hasTwoSecrets({ rotatedAt }: WebhookRow, now: Date): boolean {
  return rotatedAt !== null && now < after(rotatedAt, formerSecretTime);
}

function requireInUse({ stoppedAt }: WebhookRow): void {
  if (stoppedAt !== null) throw new Refusal("conflict", "This webhook is paused. Resume it first.");
}

/** @throws Refusal invalid-input. */
function requireAddress({ allowsPrivateWebhooks }: Context, address: string): void {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isAllowed = url && (url.protocol === "https:" || (allowsPrivateWebhooks && url.protocol === "http:"));
  if (!isAllowed) throw invalidFields({ url: ["Enter an address that begins with https://."] });
  if (url.username || url.password)
    throw invalidFields({ url: ["Enter the address without a user name and password"] });
}

function termsOf({ url, events }: WebhookTerms): WebhookTerms {
  return { url, events: [...new Set(events)] };
}

/** For the audit log, which more people read: the rest of an address is often its key. */
function loggedOf({ url, events }: WebhookTerms) {
  return { host: new URL(url).host, events: [...new Set(events)] };
}

function present(row: WebhookRow, now: Date): Webhook {
  return {
    ...termsOf(row),
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    stoppedAt: row.stoppedAt?.toISOString() ?? null,
    stoppedBecause: row.stoppedBecause,
    failingSince: row.failingSince?.toISOString() ?? null,
    lastDeliveredAt: row.lastDeliveredAt?.toISOString() ?? null,
    hasTwoSecrets: hasTwoSecrets(row, now),
  };
}

function presentDelivery({
  createdAt,
  lastAttemptAt,
  nextAttemptAt,
  webhookId: _,
  ...row
}: DeliveryRow): WebhookDelivery {
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    lastAttemptAt: lastAttemptAt?.toISOString() ?? null,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
  };
}
