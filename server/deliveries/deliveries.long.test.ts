import dns from "node:dns";
import { once } from "node:events";
import http, { type RequestOptions, type ServerResponse } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { createServer, type LookupFunction } from "node:net";
import { Webhook as Verifier } from "standardwebhooks";
import { expect, onTestFinished, vi } from "vitest";
import { createWebhook } from "#contract/admin/webhooks.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { openWebhookReceiver, type WebhookReceiver } from "#test/stand-ins/webhook-receiver.ts";
import { until } from "#test/until.ts";
import { isPublic, send } from "./sending.ts";

/** To the healthy receiver; each of the others gets every tenth event. */
const events = 1000;
const outside = "8.8.8.8";
const inside = "127.0.0.2";
const megabytes = Buffer.alloc(10_000_000);

const { academy, administrator: owner, test } = await academyOfFile();
const { pool } = academy;

test("a thousand deliveries arrive, whatever other receivers do, and none inside [N07, N08]", async () => {
  await using healthy = await openWebhookReceiver();
  await using down = await openWebhookReceiver();
  await using slow = await openWebhookReceiver();
  await using redirecting = await openWebhookReceiver();
  await using rebinding = await openWebhookReceiver();
  await using large = await openWebhookReceiver();
  // A name that led inside after it was checked would end here.
  await using listener = await listenInside(portOf(rebinding));

  let resolved = 0;
  let isRebinding = true;
  const net = standInForInternet({
    "inside.test": () => inside,
    "rebinding.test": () => (isRebinding && resolved++ % 2 === 1 ? inside : outside),
  });
  const message = { id: "event", at: new Date(), body: "{}", secrets: ["whsec_AAAA"] };
  await send(listener.url, message, { allowsPrivate: true });
  expect(listener.connections(), "the listener counts").toBe(1);

  const held = new Set<ServerResponse>();
  const targets = [listener.url, "http://169.254.169.254/latest/meta-data", "http://[fe80::1]/"];
  down.answer = (response) => void response.socket?.destroy();
  slow.answer = (response) => void held.add(response);
  redirecting.answer = (response) => {
    const location = targets[redirecting.received.length % targets.length];
    response.writeHead(redirecting.received.length % 2 ? 302 : 307, { location }).end();
  };
  large.answer = (response) => void response.writeHead(200).end(megabytes);

  const { secret } = await add("healthy.test", portOf(healthy));
  const returning = [
    { receiver: down, ...(await add("down.test", portOf(down))) },
    { receiver: slow, ...(await add("slow.test", portOf(slow))) },
    { receiver: redirecting, ...(await add("redirecting.test", portOf(redirecting))) },
    { receiver: rebinding, ...(await add("rebinding.test", portOf(rebinding))) },
    { receiver: large, ...(await add("large.test", portOf(large))) },
  ];
  const refused = [await add("inside.test", listener.port), await add("169.254.169.254", 80)];
  await addEvents();

  await until(async () => idsOf(healthy).size === events);
  await until(async () => (await statesOf("healthy.test")).every(({ state }) => state === "delivered"));
  expect(await statesOf("healthy.test")).toEqual([{ state: "delivered", most: 1, count: events }]);
  expect(healthy.received).toHaveLength(events);
  expectSigned(healthy, secret);
  // It has answered nothing, and its deliveries were due before: without a limit all of them would have timed out first.
  expect(slow.received.length).toBeGreaterThan(0);
  expect(slow.received.length).toBeLessThan(events / 20);

  slow.answer = (response) => void response.writeHead(204).end();
  for (const response of held) slow.answer(response);
  // Three hours, with each repetition that falls into them.
  for (const pause of ["6s", "6m", "34m", "133m", "7m"]) await academy.advance(pause);
  expect(await statesOf("down.test")).toMatchObject([{ state: "waiting", count: events / 10 }]);
  expect(await statesOf("redirecting.test")).toMatchObject([{ state: "waiting", count: events / 10 }]);
  for (const receiver of [down, redirecting]) {
    receiver.received.length = 0;
    receiver.answer = (response) => response.writeHead(204).end();
  }
  isRebinding = false;
  await academy.advance("6h");

  for (const { host, receiver, secret } of returning) {
    await until(async () => (await statesOf(host)).every(({ state }) => state === "delivered"));
    expect(idsOf(receiver), host).toEqual(tenth);
    for (const { headers, body } of receiver.received) expect(resigned(secret, headers, body)).toBe(true);
  }
  for (const { host } of refused) {
    expect(await statesOf(host), host).toMatchObject([{ state: "waiting", count: events / 10 }]);
    const { rows } = await pool.query(ofHost("select distinct problem"), [host]);
    expect(rows).toEqual([{ problem: "The address isn’t on the public internet." }]);
  }
  expect(resolved).toBeGreaterThan(events / 10);
  expect([...net.connectedTo]).toEqual([outside]);
  expect(listener.connections()).toBe(1);
});

const portOf = ({ url }: WebhookReceiver) => Number(new URL(url).port);
const idsOf = ({ received }: WebhookReceiver) => new Set(received.map(({ headers }) => headers["webhook-id"]));
const tenth = new Set(Array.from({ length: events / 10 }, (_, n) => `event-${(n + 1) * 10}`));

async function listenInside(port: number) {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.end("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
    socket.on("error", () => {});
  });
  server.listen(port, inside);
  await once(server, "listening");
  return {
    port,
    url: `http://${inside}:${port}/`,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}

/**
 * Every name of `.test` leads outside, unless `names` tells otherwise. Where the product connects to a public address,
 * the receivers of this test answer; every other address stays as it is.
 */
function standInForInternet(names: Readonly<Record<string, () => string>>) {
  const { lookup } = dns;
  const { request } = http;
  const connectedTo = new Set<string>();
  const resolve = (...[name, options, callback]: Parameters<LookupFunction>) => {
    if (!name.endsWith(".test")) return lookup(name, options as dns.LookupAllOptions, callback as never);
    callback(null, [{ address: (names[name] ?? (() => outside))(), family: 4 }]);
  };
  const mapped =
    (through: LookupFunction): LookupFunction =>
    (name, options, callback) =>
      through(name, { ...options, all: true }, (error, found) => {
        if (error || !Array.isArray(found)) return callback(error, found);
        for (const { address } of found) connectedTo.add(address);
        const addresses = found.map((one) => (isPublic(one.address) ? { ...one, address: "127.0.0.1" } : one));
        if (options.all) callback(null, addresses);
        else callback(null, addresses[0]?.address ?? "", addresses[0]?.family);
      });
  vi.spyOn(dns, "lookup").mockImplementation(resolve as never);
  vi.spyOn(http, "request").mockImplementation(((url: URL, options: RequestOptions, callback: () => void) =>
    request(url, options.lookup ? { ...options, lookup: mapped(options.lookup) } : options, callback)) as never);
  // For those who imported them by name.
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  return { connectedTo };
}

/** Without TLS, which owners can't enter where addresses inside are refused. */
async function add(host: string, port: number) {
  const body = { url: `https://${host}/`, events: ["user.created" as const] };
  const { status, body: made } = await owner.call(createWebhook, { body });
  expect(status).toBe(201);
  const { id, secret } = made as { id: string; secret: string };
  await pool.query("update webhook_endpoints set url = $2 where id = $1", [id, `http://${host}:${port}/hooks`]);
  return { host, secret };
}

/** The healthy receiver's deliveries come last. */
async function addEvents(): Promise<void> {
  await pool.query(
    `with added as (
      insert into webhook_deliveries (id, webhook_id, event_id, type, body, created_at, next_attempt_at)
      select w.id || n, w.id, 'event-' || n, 'test', json_build_object('type', 'test', 'data', json_build_object('n', n)),
        now(), now()
      from webhook_endpoints w, generate_series(1, $1) n where url like '%healthy%' or n % 10 = 0
      returning id, webhook_id)
    insert into jobs (id, name, data, run_at, created_at)
      select added.id, 'deliver-webhook', json_build_object('deliveryId', added.id),
        now() - case when url like '%healthy%' then interval '1 hour' else interval '2 hours' end, now()
      from added join webhook_endpoints w on w.id = webhook_id`,
    [events],
  );
}

const ofHost = (select: string) =>
  `${select} from webhook_deliveries d join webhook_endpoints w on w.id = webhook_id where url like '%//' || $1 || ':%'
    or url like '%//' || $1 || '/%'`;

async function statesOf(host: string): Promise<{ state: string; most: number; count: number }[]> {
  const select = ofHost("select state, max(attempts) as most, count(*)::int as count");
  return (await pool.query(`${select} group by state order by state`, [host])).rows;
}

/** The reference verifier takes each as it is, and none that was altered. */
function expectSigned({ received }: WebhookReceiver, secret: string): void {
  const verify = (body: string, headers: Record<string, string>) => new Verifier(secret).verify(body, headers);
  for (const { body, headers } of received) {
    expect(verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => verify(body.replace("test", "tested"), headers)).toThrow();
    for (const [name, value] of [
      ["webhook-id", `${headers["webhook-id"]}0`],
      ["webhook-timestamp", String(Number(headers["webhook-timestamp"]) + 1)],
      ["webhook-signature", `v1,${Buffer.alloc(32).toString("base64")}`],
    ] as const)
      expect(() => verify(body, { ...headers, [name]: value })).toThrow();
    expect(() => new Verifier(`whsec_${Buffer.alloc(32).toString("base64")}`).verify(body, headers)).toThrow();
  }
}

/** The verifier's own clock was not moved. */
function resigned(secret: string, headers: Readonly<Record<string, string>>, body: string): boolean {
  const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
  return new Verifier(secret).sign(headers["webhook-id"] ?? "", at, body) === headers["webhook-signature"];
}
