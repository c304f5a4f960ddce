import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { demoAccounts, demoPassword } from "#content/demo-accounts.ts";
import { listPlans } from "#contract/catalogue.ts";
import { listProgress, saveProgress } from "#contract/progress.ts";
import { acceptPayment, listUserPurchases } from "#contract/purchases/purchases.ts";
import { createQuote } from "#contract/purchases/quotes.ts";
import { examine } from "#server/operations/doctor/doctor.ts";
import { openAcademy } from "#test/academy.ts";
import { forFile } from "#test/fixtures.ts";
import { childrenOf, isRunning } from "#test/processes.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

/** `workers.long.test.ts` has more kills. */
const kills = Number(process.env.WORKER_KILLS ?? 1);

const folder = await mkdtemp(join(tmpdir(), "academy-workers-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
/** While this file exists, no worker can start. */
const broken = join(folder, "broken");
const source = `import { existsSync } from "node:fs"; if (existsSync(${JSON.stringify(broken)})) process.exit(3);`;
const preload = `data:text/javascript,${encodeURIComponent(source)}`;
/** Two workers with the embedded database, which ends with their primary. */
const academy = await forFile(openAcademy({ WORKERS: "2", DATABASE_URL: "", NODE_OPTIONS: `--import ${preload}` }));

const workers = () => childrenOf(academy.pid, "server/main.ts");

/** On a connection of its own, which goes to the next worker. */
function ask(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(`${academy.url}${path}`, { agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece) => {
        text += piece;
      });
      answer.once("end", () => resolve(text));
    }).once("error", reject);
  });
}

async function figure(series: string): Promise<number> {
  const line = (await ask("/metrics")).split("\n").find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1));
}

const plansAnswered = `academy_http_request_duration_seconds_count{method="GET",route="${listPlans.path}"}`;

async function askEachTwice(): Promise<void> {
  for (let times = 1; times <= 4; times++) await ask(listPlans.path);
}

/** Leaves the processor to the other side. Nothing depends on its length. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

/** Saves progress until `isOver`. Resolves to the watched seconds that were acknowledged last. */
async function watch(student: Visitor, isOver: () => boolean): Promise<number> {
  let acknowledged = 0;
  for (let step = 1; !isOver() || acknowledged === 0; step++) {
    const body = { watchTime: Math.min(30, step / 100), position: 1 };
    const answer = await student.call(saveProgress, { params: { lessonId: "lesson-1-1" }, body }).catch(() => null);
    if (answer?.status === 200) acknowledged = answer.body.watchTime;
    await pause();
  }
  return acknowledged;
}

async function watchedBy(student: Visitor): Promise<number> {
  return (await student.call(listProgress)).body[0]?.watchTime ?? 0;
}

/** Resolves when another worker serves in its place. */
async function killWorker(): Promise<void> {
  const before = workers();
  process.kill(before[0] as number, "SIGKILL");
  await until(async () => {
    const now = workers();
    const isReplaced = now.length === before.length && now.some((pid) => !before.includes(pid));
    return isReplaced && (await figure("academy_workers").catch(() => 0)) === before.length;
  });
}

test("a demo that is ready says where it is, who may sign in, and where its outside world is", async () => {
  await until(async () => academy.log.some((line) => line.endsWith("/sandbox")));
  expect(academy.log.filter((line) => line.includes("Academy is ready"))).toHaveLength(1);
  const guide = academy.log.slice(academy.log.indexOf(`Academy is ready: ${academy.url}`)).join("\n");
  expect(guide).toContain(`password ${demoPassword}`);
  for (const { email } of demoAccounts) expect(guide).toContain(email);
  expect(guide).toContain(`${academy.url}/sandbox`);
});

test("two workers are one academy: people, purchases, emails and time are the same at both", async () => {
  const student = await academy.buyer("basic");
  await academy.mailTo(student, "");
  const hourLater = (await academy.now()) + 60 * 60_000;
  await academy.advance("1h");
  const seen = await Promise.all(Array.from({ length: 6 }, () => student.call(listUserPurchases)));
  for (const { body } of seen) expect(body).toMatchObject([{ status: "completed" }]);
  const quoted = Array.from({ length: 6 }, () => student.call(createQuote, { body: { tier: "vip" } }));
  for (const { body } of await Promise.all(quoted)) expect(Date.parse(body.expiresAt)).toBeGreaterThan(hourLater);
  await askEachTwice();
  for (const worker of [1, 2]) {
    await until(async () => academy.log.some((line) => line.includes(`"worker":${worker},`)));
  }
});

test("any of them returns the sum of their metrics", async () => {
  const before = await figure(plansAnswered);
  await askEachTwice();
  for (const _worker of [1, 2]) {
    await until(async () => (await figure(plansAnswered)) === before + 4);
    expect(await figure("academy_workers")).toBe(2);
  }
});

test("a killed worker is replaced, loses nothing acknowledged, and no payment or client hangs [I22]", async () => {
  const answered = await figure(plansAnswered);
  const buyers = await Promise.all(Array.from({ length: 3 }, () => academy.visitor().signUp()));
  const watcher = await academy.buyer("premium");
  const bodies = await Promise.all(buyers.map((buyer) => buyer.paymentFor("premium")));
  await academy.nextCharges(...buyers.map(() => "slow:400"));
  const payments = buyers.map((buyer, at) => buyer.call(acceptPayment, { body: bodies[at] }).catch(() => null));
  const isPending = async (buyer: Visitor) => {
    const purchases = await buyer.call(listUserPurchases).catch(() => null);
    return (purchases?.body ?? []).length > 0;
  };
  let isOver = false;
  const watching = watch(watcher, () => isOver);
  // Each is answered or disconnected. One that hangs would never end.
  const clients = Array.from({ length: 2 }, async () => {
    for (; !isOver; await pause()) await ask("/healthz").catch(() => null);
  });
  await until(async () => (await Promise.all(buyers.map(isPending))).every(Boolean));
  for (let kill = 1; kill <= kills; kill++) await killWorker();
  isOver = true;
  const answers = await Promise.all(payments);
  const acknowledged = await watching;
  await Promise.all(clients);
  await until(async () => academy.log.filter((line) => line.includes("a worker serves in the place")).length === kills);
  // What the killed worker had sent is looked up, never charged again.
  await academy.advance("15m");
  for (const [at, buyer] of buyers.entries()) {
    const purchases = (await buyer.call(listUserPurchases)).body;
    if (answers[at]?.status === 200) expect(purchases).toMatchObject([{ status: "completed" }]);
  }
  const invoices = (await academy.ledger())
    .filter(({ responseCode }) => responseCode === "1")
    .map(({ invoiceNumber }) => invoiceNumber);
  expect(new Set(invoices).size).toBe(invoices.length);
  expect(await watchedBy(watcher)).toBeGreaterThanOrEqual(acknowledged);
  expect(await figure(plansAnswered)).toBeGreaterThanOrEqual(answered);
});

test("the doctor sees one academy", async () => {
  const environment = { DATA_DIR: academy.dataDir, PORT: new URL(academy.url).port, WORKERS: "2" };
  const found = new Map<string, { problem: boolean; detail: string }>();
  for await (const finding of examine(environment, process.versions.node)) found.set(finding.name, finding);
  expect(found.get("Academy")).toMatchObject({ problem: false, detail: "serves" });
  expect(found.get("Database")).toMatchObject({ problem: false });
});

test("workers end with a killed primary, and the next start finds every acknowledged write [I02 I22]", async () => {
  const student = await academy.buyer("basic");
  const pids = workers();
  expect(pids).toHaveLength(2);
  let isDead = false;
  const watching = watch(student, () => isDead);
  await until(async () => (await watchedBy(student)) > 0);
  await academy.kill();
  isDead = true;
  const acknowledged = await watching;
  await until(async () => !pids.some(isRunning));
  await academy.start();
  expect(await watchedBy(student)).toBeGreaterThanOrEqual(acknowledged);
  expect((await student.call(listUserPurchases)).body).toMatchObject([{ status: "completed" }]);
});

test("SIGTERM ends all of them after the charge under way, with exit code 0, and nobody is signed out [I01]", async () => {
  const buyer = await academy.visitor().signUp();
  const body = await buyer.paymentFor("premium");
  await academy.nextCharges("slow:500");
  const answer = buyer.call(acceptPayment, { body });
  await until(async () => (await buyer.call(listUserPurchases)).body.length === 1);
  const pids = [academy.pid, ...workers()];
  expect(pids).toHaveLength(3);
  expect(await academy.stop()).toBe(0);
  expect(await answer).toMatchObject({ status: 200, body: { success: true } });
  expect(pids.filter(isRunning)).toEqual([]);
  await academy.start();
  expect((await buyer.call(listUserPurchases)).body).toMatchObject([{ status: "completed" }]);
});

test("workers that cannot be replaced end the academy with a sentence [I22]", async () => {
  await writeFile(broken, "");
  for (const pid of workers()) process.kill(pid, "SIGKILL");
  await until(async () => !isRunning(academy.pid));
  expect(await academy.stop()).toBe(1);
  expect(academy.log).toContain("A worker ended (code 3) before it served.");
});
