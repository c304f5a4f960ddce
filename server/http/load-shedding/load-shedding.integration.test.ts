import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { listPlans } from "#contract/catalogue.ts";
import { sendContactMessage } from "#contract/contact.ts";
import { uploadProfileImage } from "#contract/profile.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { figureOf } from "#test/metrics.ts";
import { type Connection, openConnection, openConnections } from "#test/raw-requests.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

/** A client without a header of a proxy counts by its own address. */
const { academy, test } = await academyOfFile({ TRUST_PROXY: "loopback" });

const open = (bytes: string) => openConnection(academy, bytes);
const openMany = (count: number, bytes: string) => openConnections(count, academy, bytes);

const host = `Host: ${new URL(academy.url).host}\r\n`;
const halfBody = (headers = "") =>
  `POST /api/contact HTTP/1.1\r\n${host}${headers}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"name":`;

const figure = (name: string) => figureOf(academy, name);

/** All but a hundred are ended for others and hear why, unless the machine was so slow that their time was up before. */
async function expectMostEnded(halves: readonly Connection[]): Promise<void> {
  const ended = () => halves.filter(({ answer }) => answer !== "").map(({ answer }) => answer.slice(9, 12));
  await until(async () => ended().length >= halves.length - 100);
  expect(new Set(ended())).toContain("429");
  expect(["429", "408"]).toEqual(expect.arrayContaining([...new Set(ended())]));
}

/** A visitor reads, writes and is told by the probes that all is well. */
async function expectService(): Promise<void> {
  const body = { name: "Nora Quill", email: `nora-${Math.random()}@example.test`, message: "Is anybody there?" };
  expect((await academy.visitor().call(listPlans)).status).toBe(200);
  expect([200, 429]).toContain((await academy.visitor().call(sendContactMessage, { body })).status);
  expect((await fetch(`${academy.url}/readyz`)).status).toBe(200);
}

// `crowds.long.test.ts` opens thousands of connections.
test("after a refused long body the connection answers the next request", async () => {
  const length = 200_000;
  const refused = `PUT /api/admin/content/copy HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const [connection] = await openMany(1, `${refused}${"x".repeat(length)}GET /healthz HTTP/1.1\r\n${host}\r\n`);
  await until(async () => connection?.answer.includes("200 OK"));
  expect(connection?.answer).toMatch(/^HTTP\/1\.1 4\d\d /);
});

test.each([
  ["one address", ""],
  ["one client behind a proxy", "X-Forwarded-For: 198.51.100.7\r\n"],
])("incomplete requests of %s keep nobody out [I21]", async (_whom, header) => {
  const [patient] = await openMany(1, halfBody("X-Forwarded-For: 203.0.113.9\r\n"));
  const halves = await openMany(150, halfBody(header));
  await expectMostEnded(halves);
  expect(patient?.answer).not.toContain("429");
  expect(await figure("academy_requests_unfinished")).toBeLessThanOrEqual(101);
  expect(await figure("academy_requests_under_way")).toBeLessThan(100);
  expect(await figure('academy_refused_total{limit="all"}')).toBe(0);
  await expectService();
});

test.concurrent("silent connections and endless headers are closed [I13]", async () => {
  const silent = await open("");
  const dripping = await open(`GET / HTTP/1.1\r\n${host}`);
  const drip = setInterval(() => dripping.socket.write("X-Y: z\r\n"), 500);
  await Promise.all([silent.closed, dripping.closed]);
  clearInterval(drip);
  expect(dripping.answer).not.toContain("200 OK");
  await expectService();
});

test.concurrent("a small body that drips in gets 408 and is not handled [U07]", async () => {
  const dripping = await open(halfBody());
  const drip = setInterval(() => dripping.socket.write(" "), 500);
  await dripping.closed;
  clearInterval(drip);
  expect(dripping.answer).toMatch(/^HTTP\/1.1 408 .*"code":"request-timeout"/s);
});

test.concurrent("an upload that makes no progress gets 408 and blocks only its sender meanwhile [U07]", async () => {
  const [slow, other] = await Promise.all([academy.visitor().signUp(), academy.visitor().signUp()]);
  const half = await open(halfPicture(slow));
  half.socket.write(Buffer.alloc(500_000, "x"));
  const drip = setInterval(() => half.socket.write("x"), 500);
  // What has arrived is on the disk, and not in memory. Before that, another upload could come first.
  const incoming = join(academy.dataDir, "files", "incoming");
  const sizes = async () =>
    Promise.all((await readdir(incoming)).map(async (name) => (await stat(join(incoming, name))).size));
  await until(async () => (await sizes()).some((size) => size >= 500_000));
  expect(await (await sendNothing(slow)).json()).toMatchObject({
    code: "conflict",
    message: "You have another upload in progress. Please wait until it's done.",
  });
  expect((await sendNothing(other)).status).toBe(400);
  await half.closed;
  clearInterval(drip);
  expect(half.answer).toMatch(/^HTTP\/1.1 408/);
  // Its turn is given back, and nothing of it stays.
  await until(async () => (await readdir(incoming)).length === 0);
  await until(async () => (await sendNothing(slow)).status === 400);
});

/** A form without a picture: the person whose turn it is hears that one is missing. */
const sendNothing = (person: Visitor) => person.send("POST", uploadProfileImage.path, new FormData());

function halfPicture(person: Visitor): string {
  return [
    `POST ${uploadProfileImage.path} HTTP/1.1`,
    `Host: ${new URL(person.origin).host}`,
    `Origin: ${person.origin}`,
    `Cookie: ${person.cookieHeader}`,
    "Content-Type: multipart/form-data; boundary=b",
    "Content-Length: 1000000",
    "",
    "--b",
    'Content-Disposition: form-data; name="profileImage"; filename="me.png"',
    "",
    "half a picture",
  ].join("\r\n");
}
