import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { listPlans } from "#contract/catalogue.ts";
import { type Academy, openAcademy } from "#test/academy.ts";
import { forFile } from "#test/fixtures.ts";
import { figureOf } from "#test/metrics.ts";
import { type Connection, openConnections } from "#test/raw-requests.ts";
import { until } from "#test/until.ts";

const academy = await forFile(openAcademy());
const behindProxy = await forFile(openAcademy({ TRUST_PROXY: "loopback" }));

async function expectService({ url, visitor }: Academy): Promise<void> {
  expect((await visitor().call(listPlans)).status).toBe(200);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
}

test("thousands of incomplete requests from one address keep nobody out, not even at that address [I21]", async () => {
  const halves = await openConnections(2100, academy);
  const { host } = new URL(academy.url);
  for (const { socket } of halves) {
    const head = `POST /api/contact HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;
    socket.write(`${head}{"name":`);
  }
  await until(async () => halves.filter(({ answer }) => /^HTTP\/1\.1 (429|408) /.test(answer)).length >= 2000);
  expect(await figureOf(academy, "academy_requests_unfinished")).toBeLessThanOrEqual(100);
  expect(await figureOf(academy, 'academy_refused_total{limit="all"}')).toBe(0);
  await expectService(academy);
});

test("idle connections from one address keep nobody out, and a proxy loses none [I13]", async () => {
  await openConnections(2300, academy);
  await until(async () => (await figureOf(academy, 'academy_refused_total{limit="connections"}')) > 0);
  await until(async () => (await figureOf(academy, "academy_connections")) <= 2001);
  await expectService(academy);
  await openConnections(2300, behindProxy);
  await until(async () => (await figureOf(behindProxy, "academy_connections")) > 2001);
  expect(await figureOf(behindProxy, 'academy_refused_total{limit="connections"}')).toBe(0);
  await expectService(behindProxy);
});

test("under overload requests are shed at once and readiness says busy; afterwards requests are served [I14]", async () => {
  const { pid } = behindProxy;
  const student = await behindProxy.visitor().signInAsDemo("basic@academy.test");
  const database = new pg.Client(behindProxy.database.connection);
  onTestFinished(() => database.end());
  await database.connect();
  await database.query("begin; lock table sessions in access exclusive mode");
  const ask = (at: number) =>
    `GET /api/auth/user HTTP/1.1\r\nHost: ${new URL(behindProxy.url).host}\r\nX-Forwarded-For: 198.51.100.${at % 16}\r\nCookie: ${student.cookieHeader}\r\nConnection: close\r\n\r\n`;
  const readiness = async () =>
    ((await (await fetch(`${behindProxy.url}/readyz`)).json()) as { status: string }).status;
  const overload: Connection[] = [];
  await until(async () => {
    const more = await openConnections(2400, behindProxy);
    // All at once: anybody who came first waits only so long for the database.
    for (const [at, { socket }] of more.entries()) socket.write(ask(at));
    overload.push(...more);
    return (await readiness()) === "busy";
  });
  expect((await fetch(`${behindProxy.url}/healthz`)).status).toBe(200);
  await until(async () => (await figureOf(behindProxy, 'academy_refused_total{limit="all"}')) > 0);
  await database.query("rollback");

  await Promise.all(overload.map(({ closed }) => closed));
  for (const { answer } of overload) {
    expect(answer).toMatch(/^HTTP\/1\.1 (200|503) /);
    if (answer.startsWith("HTTP/1.1 503")) expect(answer).toMatch(/^retry-after: 2\r$/m);
  }
  await until(async () => (await readiness()) === "ready");
  for (let times = 0; times < 50; times++) expect((await student.send("GET", "/api/auth/user")).status).toBe(200);
  expect(behindProxy.pid).toBe(pid);
});
