import pg from "pg";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { getCourseAccess } from "#contract/access.ts";
import { sendContactMessage } from "#contract/contact.ts";
import { updateProfile } from "#contract/profile.ts";
import { saveProgress } from "#contract/progress.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { openAcademy } from "#test/academy.ts";
import { databaseOfFile, forFile } from "#test/fixtures.ts";
import { openFaultProxy } from "#test/stand-ins/fault-proxy.ts";
import { gatewayEnv } from "#test/stand-ins/gateway-proxy.ts";
import { runSandbox } from "#test/stand-ins/sandbox-in-process.ts";
import { until } from "#test/until.ts";

const sandbox = await runSandbox();
afterAll(sandbox.close);
const { database } = await databaseOfFile();
let whenCharged = () => {};
const gateway = await forFile(
  openFaultProxy({ host: "localhost", port: Number(new URL(sandbox.url).port) }, (chunk) => {
    // Jobs ask the gateway too.
    if (chunk.includes("transactionResponse")) whenCharged();
  }),
);
/** Reaches the database when the academy does not. */
const direct = new pg.Client(database.connection);
await direct.connect();
afterAll(() => direct.end());
const { host, user, password } = direct;
const network = await forFile(
  openFaultProxy(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${direct.port}` } : { host, port: direct.port }),
);
network.cut();
const secret = password ? `:${encodeURIComponent(password)}` : "";
const opening = openAcademy(
  {
    TIME_LIMIT_FACTOR: "1",
    DATABASE_URL: `postgres://${user}${secret}@127.0.0.1:${network.port}/${database.name}`,
    ...gatewayEnv(sandbox.url, `http://127.0.0.1:${gateway.port}/sandbox/gateway/xml/v1/request.api`),
  },
  database,
);
await Promise.race([until(async () => network.refused() >= 3), opening]);
network.heal();
const academy = await forFile(opening);
const student = await academy.visitor().signUp();

const get = async (path: string) => (await academy.visitor().send("GET", path)).status;
/** Of a plan whose card is not kept: the gateway is asked for nothing else. */
const plan = "premium";
const watch = () => student.call(saveProgress, { params: { lessonId: "lesson-1-1" }, body: { position: 1 } });
const write = (message: string) =>
  academy.visitor().call(sendContactMessage, { body: { name: "Nora Quill", email: "nora@example.test", message } });
const unavailable = { status: 503, body: { code: "unavailable", success: false } };

test("a start waits for the database and logs it [I03]", async () => {
  expect(await get("/readyz")).toBe(200);
  expect(academy.log.filter((line) => line.includes("does not answer yet"))).toHaveLength(1);
});

test("tables are locked: requests that need them get 503 within seconds, all others are served, and payments have connections of their own [I05 I06]", async () => {
  const { pid } = academy;
  const body = await student.paymentFor(plan);
  onTestFinished(async () => void (await direct.query("rollback")));
  await direct.query("begin; lock table contacts in access exclusive mode");
  const messages = Array.from({ length: 30 }, (_, at) => write(`message ${at}`));
  await until(async () => (await waitingForLocks()) >= 10);
  // Every connection of the pool waits, and the database is well.
  expect(await get("/readyz")).toBe(200);
  expect(await student.call(acceptPayment, { body })).toMatchObject({ status: 200 });
  expect(await student.call(getCourseAccess)).toMatchObject({ status: 200, body: { tier: plan } });

  await direct.query("lock table users in access exclusive mode");
  const reads = Array.from({ length: 5 }, () => student.call(getCourseAccess));
  expect([await get("/healthz"), await get("/")]).toEqual([200, 200]);
  for (const answer of [await Promise.race(messages), ...(await Promise.all(reads))]) {
    expect(answer).toMatchObject(unavailable);
    expect(answer.headers.get("retry-after")).toBe("2");
  }
  await direct.query("rollback");
  expect(await student.access()).toMatchObject({ tier: plan });
  // Anybody who still waited is received now, or was one of too many from one address.
  for (const { status } of await Promise.all(messages)) expect([200, 429, 503]).toContain(status);
  expect(academy.pid).toBe(pid);
});

test("with a silent database requests get 503 within seconds, pages and probes work, and it recovers [I05 I24]", async () => {
  network.hold();
  const reads = [student.call(getCourseAccess), watch(), academy.visitor().send("GET", "/api/course-pricing")];
  expect([await get("/healthz"), await get("/")]).toEqual([200, 200]);
  expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([503, 503, 503]);
  network.heal();
  await until(async () => (await watch()).status === 200);
  await until(async () => (await get("/readyz")) === 200);
});

test("while uses cannot be counted, everything with a limit is refused [H06]", async () => {
  network.cut();
  const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => write(`uncounted ${at}`)));
  for (const answer of answers) {
    expect(answer).toMatchObject(unavailable);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  network.heal();
  await until(async () => (await get("/readyz")) === 200);
  expect((await direct.query("select from contacts where message like 'uncounted %'")).rowCount).toBe(0);
});

test("readiness reports a frozen database before requests time out, and recovers with it [I05]", async () => {
  network.hold();
  const read = student.call(getCourseAccess);
  const probes = Array.from({ length: 5 }, () => academy.visitor().send("GET", "/readyz"));
  const first = await Promise.race([read, ...probes]);
  expect([new URL((first as Response).url ?? "").pathname, first.status]).toEqual(["/readyz", 503]);
  for (const probe of await Promise.all(probes)) expect(await probe.json()).toMatchObject({ status: "no database" });
  expect((await read).status).toBe(503);
  network.heal();
  expect(await get("/readyz")).toBe(200);
});

test("an outage of the database is logged once a second at most, without SQL and personal data [I20] [G03]", async () => {
  const linesBefore = academy.log.length;
  const begun = performance.now();
  network.cut();
  const linesSince = () => academy.log.slice(linesBefore);
  for (let round = 0; round < 20 || linesSince().length < 2; round++) {
    const answers = await Promise.all([
      ...Array.from({ length: 9 }, () => student.call(getCourseAccess)),
      write("a secret of Nora's"),
    ]);
    for (const { status } of answers) expect(status).toBe(503);
  }
  network.heal();
  await until(async () => (await get("/readyz")) === 200);
  const seconds = (performance.now() - begun) / 1000;
  expect(linesSince().length).toBeLessThanOrEqual(seconds + 2);
  for (const line of academy.log) expect(line).not.toMatch(/\b(select|insert into|update|delete from) |nora@|Nora's/i);
});

test("a database whose disk is full: writes get 503, reads go on, and writes too when there is space [I08]", async () => {
  await direct.query(`create function be_full() returns trigger language plpgsql as
    $$ begin raise 'No space left on device' using errcode = '53100'; end $$`);
  await direct.query("create trigger full_disk before update on users for each row execute function be_full()");
  const body = { firstName: "Jo", lastName: "Vendor", phone: "", location: "", bio: "Sells what others overlook." };
  expect(await student.call(updateProfile, { body })).toMatchObject(unavailable);
  expect((await student.call(getCourseAccess)).status).toBe(200);
  await direct.query("drop trigger full_disk on users");
  expect(await student.call(updateProfile, { body })).toMatchObject({ status: 200, body: { bio: body.bio } });
});

test("the database is lost between the gateway's answer and its record: the charge is found afterwards [P13]", async () => {
  const buyer = await academy.visitor().signUp();
  const body = await buyer.paymentFor(plan);
  whenCharged = network.cut;
  // Not "try again": the gateway has charged.
  expect(await buyer.call(acceptPayment, { body })).toMatchObject({ status: 202, body: { status: "pending" } });
  expect([await get("/healthz"), await get("/readyz")]).toEqual([200, 503]);
  whenCharged = () => {};
  network.heal();

  const found = await until(async () => (await buyer.purchase()) ?? null);
  expect(found).toMatchObject({ status: "pending" });
  expect(await buyer.buy(plan)).toMatchObject({ status: 409, body: { code: "payment-in-progress" } });
  await academy.advance("1m");
  expect(await buyer.purchase()).toMatchObject({ id: found.id, status: "completed" });
  expect(await buyer.access()).toMatchObject({ hasAccess: true, tier: plan });
  await expectBooksToAgree();
});

test("a hanging gateway delays only those who pay [I19]", async () => {
  const buyers = await Promise.all(Array.from({ length: 5 }, () => academy.visitor().signUp()));
  const bodies = await Promise.all(buyers.map((buyer) => buyer.paymentFor(plan)));
  gateway.hold();
  const payments = buyers.map((buyer, at) => buyer.call(acceptPayment, { body: bodies[at] }));
  await until(async () => (await chargesUnderWay()) === buyers.length);
  for (const answer of await Promise.all(Array.from({ length: 12 }, watch))) expect(answer.status).toBe(200);
  expect((await student.call(getCourseAccess)).status).toBe(200);
  expect(await chargesUnderWay()).toBe(buyers.length);
  gateway.heal();
  // On a machine that took longer than the gateway is waited for, the resolver finds them later.
  for (const { status } of await Promise.all(payments)) expect([200, 202]).toContain(status);
  await academy.advance("1m");
  expect(await Promise.all(buyers.map(async (buyer) => (await buyer.purchase())?.status))).toEqual(
    buyers.map(() => "completed"),
  );
  await expectBooksToAgree();
});

/** Charges that were sent to the gateway and not answered. */
async function chargesUnderWay(): Promise<number> {
  const { rows } = await direct.query(
    "select count(*)::int as open from payment_attempts where state in ('sent', 'unknown')",
  );
  return rows[0].open;
}

/** Connections of the academy that wait for a lock now. */
async function waitingForLocks(): Promise<number> {
  const { rows } = await direct.query(
    "select count(*)::int as waiting from pg_locks join pg_database on pg_database.oid = database where not granted and datname = current_database()",
  );
  return rows[0].waiting;
}

/** Every approved charge of the gateway's ledger has its completed purchase, and the other way round. */
async function expectBooksToAgree(): Promise<void> {
  const charges = (await academy.ledger()).filter((row) => row.responseCode === "1");
  const { rows } = await direct.query("select id, transaction_id, amount from purchases where status = 'completed'");
  const charged = charges.map(({ invoiceNumber, transId, amount }) => [invoiceNumber, transId, Number(amount)].join());
  const bought = rows.map(({ id, transaction_id, amount }) => [id, transaction_id, Number(amount)].join());
  expect(charged.sort()).toEqual(bought.sort());
}
