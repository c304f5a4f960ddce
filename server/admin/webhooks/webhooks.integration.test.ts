import type { ServerResponse } from "node:http";
import { Webhook as Verifier } from "standardwebhooks";
import { beforeEach, expect } from "vitest";
import { listAudit } from "#contract/admin/audit.ts";
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  resendWebhook,
  rotateWebhookSecret,
  testWebhook,
} from "#contract/admin/webhooks.ts";
import { saveProgress } from "#contract/progress.ts";
import { webhookEventNames } from "#contract/webhook-events.ts";
import { academyOfFile, forFile } from "#test/fixtures.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import { openWebhookReceiver } from "#test/stand-ins/webhook-receiver.ts";
import { until } from "#test/until.ts";

const receiver = await forFile(openWebhookReceiver());
const { academy, administrator: owner, test } = await academyOfFile({ WEBHOOKS_ALLOW_PRIVATE: "yes" });
await leaveOnlyJobs(academy);

beforeEach(async () => {
  await owner.signInAgain();
  for (const { id } of (await owner.call(listWebhooks)).body) await owner.call(deleteWebhook, { params: { id } });
  receiver.received.length = 0;
  receiver.answer = (response) => response.writeHead(204).end();
});

const create = (events: readonly string[] = webhookEventNames, url = receiver.url) =>
  owner.call(createWebhook, { body: { url, events: events as never } });

async function created(events?: readonly string[]) {
  const { status, body } = await create(events);
  expect(status).toBe(201);
  return { ...(body as { id: string; secret: string }), params: { id: (body as { id: string }).id } };
}

const deliveriesOf = async (id: string) =>
  (await owner.call(listWebhookDeliveries, { params: { id }, query: {} })).body.rows;
/** The delivery of the webhook that was tried once. */
const attempted = (id: string) => until(async () => (await deliveriesOf(id)).find(({ attempts }) => attempts === 1));
const webhookOf = async (id: string) => (await owner.call(listWebhooks)).body.find((one) => one.id === id);
const arrived = (type: string, userId?: string) =>
  until(async () =>
    receiver.received.find(({ event }) => event.type === type && (!userId || event.data.userId === userId)),
  );

test("another tool gets the events that it asked for, signed, without names and addresses [N07]", async () => {
  const { secret } = await created();
  const { student, purchaseId } = await academy.purchase("basic");
  const userId = await student.id();
  await student.call(saveProgress, { params: { lessonId: "lesson-1-1" }, body: { isCompleted: true } });
  await student.call(saveProgress, { params: { lessonId: "lesson-1-1" }, body: { isCompleted: true } });
  const paid = await arrived("purchase.completed", userId);
  expect(paid.event.data).toEqual({ id: purchaseId, userId, planId: "basic_monthly", tier: "basic", amount: 49 });
  expect((await arrived("access.changed", userId)).event.data).toMatchObject({ tier: "basic", why: "purchase" });
  const completed = await arrived("lesson.completed", userId);
  expect(completed.event.data).toEqual({ id: "lesson-1-1", userId, moduleId: "module-1" });
  for (const { body, headers } of receiver.received) {
    expect(new Verifier(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Verifier(secret).verify(body.replace("49", "50").concat(" "), headers)).toThrow();
    expect(body).not.toContain(student.email);
  }
  expect(receiver.received.filter(({ event }) => event.type === "lesson.completed")).toHaveLength(1);
});

test("an address gets only the events that it asked for", async () => {
  const { id } = await created(["purchase.refunded"]);
  await academy.purchase("basic");
  await owner.call(testWebhook, { params: { id }, body: {} });
  await arrived("test");
  expect(receiver.received.map(({ event }) => event.type)).toEqual(["test"]);
});

// `deliveries.long.test.ts` has a thousand, for receivers of many kinds.
test("sixty events for a slow address keep three jobs, delay no other address, and all arrive", async () => {
  await using slow = await openWebhookReceiver();
  const waiting = new Set<ServerResponse>();
  slow.answer = (response) => void waiting.add(response);
  const { id } = (await create(["user.created"], slow.url)).body as { id: string };
  await academy.pool.query(
    `with added as (insert into webhook_deliveries (id, webhook_id, event_id, type, body, created_at, next_attempt_at)
      select 'many-' || n, $1, 'event-' || n, 'test', '{"type":"test","data":{}}', now(), now()
      from generate_series(1, 60) n returning id)
    insert into jobs (id, name, data, run_at, created_at)
      select id, 'deliver-webhook', json_build_object('deliveryId', id), now() - interval '1 hour', now() from added`,
    [id],
  );
  const jobs = async (condition: string) => {
    const where = `data->>'deliveryId' like 'many-%' and ${condition}`;
    return (await academy.pool.query(`select from jobs where ${where}`)).rowCount;
  };
  await until(async () => (await jobs("claimed_until is null and run_at < now()")) === 0);
  const { params } = await created();
  await owner.call(testWebhook, { params, body: {} });
  await arrived("test");
  // More only where a delivery has already failed after 15 seconds and waits to be repeated.
  await until(async () => Number(await jobs("claimed_until is not null")) <= 3);
  expect(await jobs("true")).toBeLessThan(10);
  slow.answer = (response) => void response.writeHead(204).end();
  for (const response of waiting) slow.answer(response);
  await until(async () => (await jobs("true")) === 0);
  const ids = slow.received.map(({ headers }) => headers["webhook-id"]);
  expect(new Set(ids).size).toBe(60);
  expect(ids.length).toBeLessThan(70);
});

test("a receiver that asks for a pause gets one", async () => {
  const { id, params } = await created();
  receiver.answer = (response) => response.writeHead(429, { "retry-after": "600" }).end();
  await owner.call(testWebhook, { params, body: {} });
  const first = await attempted(id);
  const pause = Date.parse(first.nextAttemptAt ?? "") - Date.parse(first.lastAttemptAt ?? "");
  expect(pause).toBe(600_000);
});

test("an address that answers 410 gets nothing more, and the owners an email", async () => {
  const { id, params } = await created();
  receiver.answer = (response) => response.writeHead(410).end();
  await owner.call(testWebhook, { params, body: {} });
  await until(async () => (await webhookOf(id))?.stoppedBecause === "gone");
  expect((await academy.mailTo(owner, /We stopped sending webhooks/)).text).toContain("status 410");
  expect((await owner.call(testWebhook, { params, body: {} })).status).toBe(409);
});

test("a redirect is not followed, and an endless answer is not read [N08]", async () => {
  const { id, params } = await created();
  receiver.answer = (response) => response.writeHead(302, { location: `${receiver.url}/inside` }).end();
  await owner.call(testWebhook, { params, body: {} });
  const refused = await attempted(id);
  expect(refused.problem).toBe("It answered 302, a redirect, which we don’t follow.");
  expect(receiver.received).toHaveLength(1);
  await owner.call(changeWebhook, { params, body: { url: receiver.url, events: ["user.created"], isPaused: true } });
  await owner.call(changeWebhook, { params, body: { url: receiver.url, events: ["user.created"], isPaused: false } });
  receiver.answer = (response) => {
    response.writeHead(200);
    const more = () => void (response.destroyed || response.write(Buffer.alloc(65_536), () => setImmediate(more)));
    more();
  };
  await owner.call(testWebhook, { params, body: {} });
  await until(async () => (await deliveriesOf(id)).some(({ state }) => state === "delivered"));
});

test("for a day after a new secret, deliveries carry the signatures of both", async () => {
  const { id, secret, params } = await created();
  const { secret: next } = (await owner.call(rotateWebhookSecret, { params, body: {} })).body;
  expect(await webhookOf(id)).toMatchObject({ hasTwoSecrets: true });
  await owner.call(testWebhook, { params, body: {} });
  const { body, headers } = await arrived("test");
  const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
  // The verifier's own clock was not moved.
  const signatures = [next, secret].map((one) => new Verifier(one).sign(headers["webhook-id"] ?? "", at, body));
  expect(headers["webhook-signature"]).toBe(signatures.join(" "));
  await academy.advance("25h");
  await owner.signInAgain();
  await owner.call(testWebhook, { params, body: {} });
  const later = await until(async () => receiver.received[1]);
  expect(later.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
});

test("the owner sees what was sent, sends it again, pauses and deletes the webhook", async ({ administrator }) => {
  const { id, params } = await created();
  await administrator.call(testWebhook, { params, body: {} });
  const delivered = await until(async () => (await deliveriesOf(id)).find(({ state }) => state === "delivered"));
  const again = { ...params, deliveryId: delivered.id };
  expect((await administrator.call(resendWebhook, { params: again, body: {} })).status).toBe(200);
  await until(async () => receiver.received.length === 2);
  expect(receiver.received[1]?.headers["webhook-id"]).toBe(delivered.eventId);

  const body = { url: receiver.url, events: webhookEventNames, isPaused: true };
  await administrator.call(changeWebhook, { params, body });
  expect(await webhookOf(id)).toMatchObject({ stoppedBecause: "paused" });
  expect((await administrator.call(resendWebhook, { params: again, body: {} })).status).toBe(409);
  await academy.purchase("basic");
  expect(await deliveriesOf(id)).toHaveLength(1);
  expect((await administrator.call(deleteWebhook, { params })).status).toBe(200);
  expect((await administrator.call(listWebhookDeliveries, { params, query: {} })).body).toMatchObject({ rows: [] });
});

test("the audit log has the host of an address, whose path and query often are a key", async () => {
  const { body } = await create(["user.created"], "https://hooks.example.test/path-key?token=query-key");
  const { id } = body as { id: string };
  const url = "https://other.example.test/another-key";
  await owner.call(changeWebhook, { params: { id }, body: { url, events: ["user.created"] } });
  await owner.call(deleteWebhook, { params: { id } });
  const { rows } = (await owner.call(listAudit, { query: { subject: id } })).body;
  expect(rows).toMatchObject([
    { action: "delete webhook", before: { host: "other.example.test", events: ["user.created"] } },
    { action: "change webhook", before: { host: "hooks.example.test" }, after: { host: "other.example.test" } },
    { action: "create webhook", after: { host: "hooks.example.test", events: ["user.created"] } },
  ]);
  expect(JSON.stringify(rows)).not.toContain("key");
});

test("an address is http or https without a password, an event is known, and there are at most ten", async () => {
  const refused = ["ftp://example.test/", "https://user:secret@example.test/", "example.test", "https://"];
  for (const url of refused) expect((await create(["user.created"], url)).status, url).toBe(400);
  expect((await create(["user.renamed"])).status).toBe(400);
  expect((await create([])).status).toBe(400);
  const answers = await Promise.all(Array.from({ length: 12 }, () => create(["user.created"])));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), 409, 409]);
});

test("a failed delivery is sent again with the same id ten times, and after five days of failures nothing more", async () => {
  const { id, params } = await created(["user.created"]);
  receiver.answer = (response) => response.writeHead(receiver.received.length === 2 ? 200 : 503).end();
  await owner.call(testWebhook, { params, body: {} });
  await arrived("test");
  const waiting = await attempted(id);
  expect(waiting).toMatchObject({ state: "waiting", status: 503, problem: "It answered 503." });
  await academy.advance("6s");
  expect(await deliveriesOf(id)).toMatchObject([{ state: "delivered", attempts: 2, status: 200, problem: null }]);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([waiting.eventId]));

  receiver.answer = (response) => response.writeHead(500).end();
  await owner.call(testWebhook, { params, body: {} });
  for (const pause of ["1s", "6s", "6m", "34m", "133m", "6h", "11h", "16h", "23h", "26h30m"])
    await academy.advance(pause);
  await owner.signInAgain();
  expect(await deliveriesOf(id)).toMatchObject([{ state: "failed", attempts: 10 }, { state: "delivered" }]);
  expect(await webhookOf(id)).toMatchObject({ stoppedAt: null, failingSince: expect.any(String) });

  await owner.call(testWebhook, { params, body: {} });
  await academy.advance("1d");
  await academy.advance("1d", owner);
  expect(await webhookOf(id)).toMatchObject({ stoppedBecause: "failing" });
  expect((await deliveriesOf(id)).filter(({ state }) => state === "waiting")).toEqual([]);
});
