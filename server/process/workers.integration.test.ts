import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listPlans } from "#contract/catalogue.ts";
import { listProgress, saveProgress } from "#contract/progress.ts";
import { acceptPayment, listUserPurchases } from "#contract/purchases/purchases.ts";
import { examine } from "#server/operations/doctor/doctor.ts";
import { type Academy, openAcademy } from "#test/academy.ts";
import { childrenOf, isRunning } from "#test/processes.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

const workersOf = ({ pid }: Academy) => childrenOf(pid, "server/main.ts");

/** Resolves when so many serve; to those that were not among the ones before. */
function replaced(academy: Academy, before: readonly number[]): Promise<number[]> {
  return until(async () => {
    const now = workersOf(academy);
    const isTold = academy.log.some((line) => line.includes("a worker serves in the place of the one that ended"));
    return isTold && now.length === before.length && now.filter((pid) => !before.includes(pid));
  });
}

/** On a connection of its own, which goes to the next worker. */
function ask(academy: Academy, path: string): Promise<string> {
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

async function figure(academy: Academy, series: string): Promise<number> {
  const line = (await ask(academy, "/metrics")).split("\n").find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1));
}

const plansAnswered = `academy_http_request_duration_seconds_count{method="GET",route="${listPlans.path}"}`;

async function askEachTwice(academy: Academy): Promise<void> {
  for (let times = 1; times <= 4; times++) await ask(academy, listPlans.path);
}

describe("two workers", () => {
  let academy: Academy;
  beforeAll(async () => {
    academy = await openAcademy({ WORKERS: "2" });
  });
  afterAll(() => academy?.[Symbol.asyncDispose]());

  test("are one academy: people, purchases, mails and time are the same whichever answers", async () => {
    expect(academy.log.filter((line) => line.startsWith("Academy is ready:"))).toHaveLength(1);
    const student = await academy.visitor().signUp();
    expect((await student.call(acceptPayment, { body: await student.paymentFor("basic") })).status).toBe(200);
    await academy.advance("30d");
    const owed = (await academy.ledger()).filter(({ type }) => type === "authCaptureTransaction");
    expect(owed.length).toBeGreaterThanOrEqual(2);
    await until(async () => (await academy.mails()).filter(({ to }) => to === student.email).length >= 2);
    await student.signInAgain();
    const seen = await Promise.all(Array.from({ length: 12 }, () => student.call(listUserPurchases)));
    for (const { body } of seen) expect(body).toMatchObject([{ status: "completed" }]);
    await askEachTwice(academy);
    for (const worker of [1, 2]) {
      await until(async () => academy.log.some((line) => line.includes(`"worker":${worker},`)));
    }
  });

  test("any of them returns the sum of their metrics", async () => {
    const before = await figure(academy, plansAnswered);
    await askEachTwice(academy);
    for (const _worker of [1, 2]) {
      await until(async () => (await figure(academy, plansAnswered)) === before + 4);
      expect(await figure(academy, "academy_workers")).toBe(2);
    }
  });

  test("a worker that is killed is replaced: nothing acknowledged is lost, nobody charged twice, no figure falls [I22]", async () => {
    const answered = await figure(academy, plansAnswered);
    const buyers = await Promise.all(Array.from({ length: 4 }, () => academy.visitor().signUp()));
    const watcher = buyers[0] as Visitor;
    const bodies = await Promise.all(buyers.map((buyer) => buyer.paymentFor("premium")));
    const before = workersOf(academy);
    await academy.nextCharges(...buyers.map(() => "slow:400"));
    const payments = buyers.map((buyer, at) => buyer.call(acceptPayment, { body: bodies[at] }).catch(() => null));
    const pending = async (buyer: Visitor) => {
      const purchases = await buyer.call(listUserPurchases).catch(() => null);
      return (purchases?.body ?? []).length > 0;
    };
    let noted = 0;
    let isKilled = false;
    const watching = (async () => {
      for (let position = 1; !isKilled || position < 20; position++) {
        const body = { watchTime: Math.min(30, position / 10), position };
        const answer = await watcher.call(saveProgress, { params: { lessonId: "lesson-1-1" }, body }).catch(() => null);
        if (answer?.status === 200) noted = position;
      }
    })();
    await until(async () => (await Promise.all(buyers.map(pending))).every(Boolean));
    process.kill(before[0] as number, "SIGKILL");
    isKilled = true;
    const answers = await Promise.all(payments);
    await watching;
    expect(await replaced(academy, before)).toHaveLength(1);
    // What the killed worker had sent is looked up, never charged again.
    await academy.advance("15m");
    const ledger = await academy.ledger();
    for (const [at, buyer] of buyers.entries()) {
      const purchases = (await buyer.call(listUserPurchases)).body;
      if (answers[at]?.status === 200) expect(purchases).toMatchObject([{ status: "completed" }]);
    }
    const invoices = ledger
      .filter(({ responseCode }) => responseCode === "1")
      .map(({ invoiceNumber }) => invoiceNumber);
    expect(new Set(invoices).size).toBe(invoices.length);
    const [record] = (await watcher.call(listProgress)).body;
    expect(record?.position ?? 0).toBeGreaterThanOrEqual(noted);
    expect(await figure(academy, plansAnswered)).toBeGreaterThanOrEqual(answered);
    expect(await figure(academy, "academy_workers")).toBe(2);
  });

  test("clients that connect while workers are killed are answered or disconnected, and none waits for ever [I22]", async () => {
    let isOver = false;
    let answered = 0;
    const connecting = async () => {
      while (!isOver) {
        const answer = await ask(academy, "/healthz").catch(() => null);
        if (answer) answered += 1;
      }
    };
    const clients = Array.from({ length: 16 }, connecting);
    for (const kill of [1, 2, 3, 4]) {
      const before = answered;
      await until(async () => answered > before + 20);
      const workers = workersOf(academy);
      process.kill(workers[kill % 2] as number, "SIGKILL");
      await until(async () => {
        const now = workersOf(academy);
        return (
          now.length === 2 &&
          now.some((pid) => !workers.includes(pid)) &&
          (await figure(academy, "academy_workers").catch(() => 0)) === 2
        );
      });
    }
    isOver = true;
    // One that nobody answers or ends would be waited for in vain.
    await Promise.all(clients);
  });

  test("SIGTERM ends all of them when the charge under way is done, with exit code 0", async () => {
    const buyer = await academy.visitor().signUp();
    const body = await buyer.paymentFor("premium");
    await academy.nextCharges("slow:500");
    const answer = buyer.call(acceptPayment, { body });
    await until(async () => (await buyer.call(listUserPurchases)).body.length === 1);
    const pids = [academy.pid, ...workersOf(academy)];
    expect(pids).toHaveLength(3);
    expect(await academy.stop()).toBe(0);
    expect(await answer).toMatchObject({ status: 200, body: { success: true } });
    expect(pids.filter(isRunning)).toEqual([]);
  });
});

describe("two workers over the embedded database", () => {
  let academy: Academy;
  let folder: string;
  /** While this file is there no worker can start. */
  let broken: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "academy-workers-"));
    broken = join(folder, "broken");
    const source = `import { existsSync } from "node:fs"; if (existsSync(${JSON.stringify(broken)})) process.exit(3);`;
    const preload = `data:text/javascript,${encodeURIComponent(source)}`;
    academy = await openAcademy({ WORKERS: "2", DATABASE_URL: "", NODE_OPTIONS: `--import ${preload}` });
  });
  afterAll(async () => {
    await academy?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test("they end with a killed primary, and the next start finds everything [I22]", async () => {
    const student = await academy.visitor().signUp();
    const workers = workersOf(academy);
    expect(workers).toHaveLength(2);
    await academy.kill();
    await until(async () => !workers.some(isRunning));
    await academy.start();
    expect((await student.call(listUserPurchases)).status).toBe(200);
  });

  test("the doctor sees one academy", async () => {
    const environment = { DATA_DIR: academy.dataDir, PORT: new URL(academy.url).port, WORKERS: "2" };
    const found = new Map<string, { problem: boolean; detail: string }>();
    for await (const finding of examine(environment, process.versions.node)) found.set(finding.name, finding);
    expect(found.get("Academy")).toMatchObject({ problem: false, detail: "serves" });
    expect(found.get("Database")).toMatchObject({ problem: false });
  });

  test("workers that cannot be replaced end the academy with a sentence [I22]", async () => {
    await writeFile(broken, "");
    for (const pid of workersOf(academy)) process.kill(pid, "SIGKILL");
    await until(async () => !isRunning(academy.pid));
    expect(await academy.stop()).toBe(1);
    expect(academy.log).toContain("A worker ended (code 3) before it served.");
  });
});
