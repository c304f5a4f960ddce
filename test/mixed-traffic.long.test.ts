import { mkdirSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, inject, test } from "vitest";
import { SeededRandom } from "#server/demo/seeded-random.ts";
import { type Administrator, administratorActions, signInFresh } from "./mixed-traffic/administrator.ts";
import { compareAll } from "./mixed-traffic/comparison.ts";
import { type Installation, openInstallation } from "./mixed-traffic/installation.ts";
import { memoryInThirds, mostLogged, type Sample, sampler } from "./mixed-traffic/measurements.ts";
import { Person, Requests } from "./mixed-traffic/requests.ts";
import { beSignedIn, signUp, studentActions, visit, type World, writeToTeam } from "./mixed-traffic/students.ts";
import { isNginxInstalled } from "./nginx.ts";
import { runProgram } from "./operate.ts";

const minutes = Number(process.env.MIXED_TRAFFIC_MINUTES ?? 4);
const seed = Number(process.env.MIXED_TRAFFIC_SEED ?? inject("seed"));
const requestsPerSecond = 25;
const people = 12;
/** The students from before the first kill, and those who sign up while the test runs. */
const students = { atFirst: 8, most: 200 };
/** A minute, or less in a run that is too short to kill each process. */
const killEveryMs = Math.min(60_000, (minutes * 60_000) / 12);
/** Requests may fail for this long after a killed process serves again. */
const recoveryMs = 10_000;
/** The allowed growth of memory between the middle and the end: a quarter, and what a part that was just restarted lacks. */
const mostMemory = (middleMb: number) => middleMb * 1.25 + 50;
const maxLogBytesPerMinute = 500_000;

const reportFile = fileURLToPath(new URL("../test-results/mixed-traffic.json", import.meta.url));

test.skipIf(!isNginxInstalled)(
  `${minutes} minutes of mixed traffic from seed ${seed} while something is killed every ${killEveryMs / 1000} s: nothing acknowledged is lost, nothing happens twice, memory and logs stay bounded [I23]`,
  { timeout: (minutes + 60) * 60_000 },
  async () => {
    const walk = randomOf("kills");
    await using installation = await openInstallation(randomOf("processes"));
    const requests = new Requests(requestsPerSecond);
    const world: World = {
      url: installation.url,
      requests,
      students: [],
      messages: new Map(),
      uploads: new Map(),
      wrongs: [],
      mails: installation.mails,
      random: randomOf("people"),
      isOver: false,
    };
    const administrator: Administrator = {
      person: new Person(installation.url, requests),
      refunds: [],
      notes: new Map(),
      written: new Map(),
      titles: new Map(),
      announcements: new Map(),
    };
    await signInFresh(administrator);
    for (let made = 0; made < students.atFirst; made++) await signUp(world);
    const kills: Record<string, number> = {};
    const abandoned: Record<string, number> = {};
    const samples: Sample[] = [];
    const takeSample = sampler(installation);
    const startedAt = performance.now();
    const endsAt = startedAt + minutes * 60_000;

    /** Runs actions in sequence until the end. Abandons those that a kill interrupts. */
    const keepDoing = async (once: () => Promise<void>) => {
      while (performance.now() < endsAt) {
        await once().catch((error: Error) => {
          const what =
            error.message
              .split("\n")[0]
              ?.replace(/[\d:-]{6,}|\S{20,}/g, "*")
              .slice(0, 100) ?? "";
          abandoned[what] = (abandoned[what] ?? 0) + 1;
          return wait(200);
        });
      }
    };
    const report = (more: object = {}) => {
      mkdirSync(fileURLToPath(new URL("../test-results", import.meta.url)), { recursive: true });
      const { failures, kinds, refusals, sent, hung, slow } = requests;
      const alone = failures.filter(({ during }) => during === null);
      const result = {
        seed,
        minutes: (performance.now() - startedAt) / 60_000,
        requests: { sent, hung },
        slow,
        kinds: Object.fromEntries([...kinds].toSorted(([a], [b]) => a.localeCompare(b))),
        failed: failures.length,
        failedDuring: countBy(failures.map(({ during }) => during ?? "nothing")),
        failedWhileAllLived: alone.slice(0, 50),
        refusals: Object.fromEntries(refusals),
        kills,
        abandoned,
        students: world.students.length,
        wrongs: world.wrongs,
        memoryMb: Object.fromEntries(held.map((part) => [part, memoryInThirds(samples, part)])),
        mostLoggedInAMinute: Object.fromEntries(logged.map((part) => [part, mostLogged(samples, part)])),
        samples,
        ...more,
      };
      writeFileSync(reportFile, JSON.stringify(result, null, 1));
      return result;
    };

    await Promise.all([
      ...Array.from({ length: people }, () => keepDoing(() => act(world))),
      keepDoing(() => administer(world, administrator)),
      keepDoing(() => moveTime(installation)),
      keepDoing(async () => {
        await wait(Math.min(15_000, minutes * 3000));
        samples.push(takeSample());
        report();
      }),
      keepDoing(() => killOne(installation, requests, walk, kills)),
    ]);
    world.isOver = true;

    await installation.allServe();
    // Time for polls, for the half hour after which a missing charge counts as not made, and for a day's jobs.
    for (const duration of ["1m", "6m", "16m", "31m", "1h", "4h", "1d", "1d"]) await installation.advance(duration);
    const comparison = await compareAll(world, administrator, {
      ledger: await installation.ledger(),
      mails: await installation.mails(),
    });
    const doctor = await runProgram(["scripts/operate.ts", "doctor"], installation.operatorEnv);
    const reconcile = await runProgram(["scripts/reconcile.ts"], installation.operatorEnv);
    const { failedWhileAllLived, memoryMb, mostLoggedInAMinute } = report({ comparison, doctor, reconcile });

    expect(world.wrongs).toEqual([]);
    expect(comparison.lost).toEqual([]);
    expect(comparison.doubled).toEqual([]);
    expect(reconcile).toMatchObject({ code: 0 });
    expect(doctor).toMatchObject({ code: 0 });
    expect(requests.hung).toBe(0);
    expect(failedWhileAllLived).toEqual([]);
    for (const [part, { middle, last }] of Object.entries(memoryMb)) {
      expect(last, `${part}: ${middle} MB in the middle`).toBeLessThan(mostMemory(middle));
    }
    for (const [part, bytes] of Object.entries(mostLoggedInAMinute)) {
      expect(bytes, `bytes a minute of ${part}`).toBeLessThan(maxLogBytesPerMinute);
    }
    for (const kind of ["account", "charge", "purchase", "note of watching", "message", "upload", "mail"]) {
      expect(comparison.compared[kind], kind).toBeGreaterThan(0);
    }
  },
);

/** The processes whose memory and logs are measured. */
const held = ["first node", "second node", "database"];
const logged = ["first node", "second node", "proxy"];

async function act(world: World): Promise<void> {
  const turn = world.random();
  const isFull = world.students.length >= students.most;
  if (turn < 0.1) return visit(world);
  if (turn < 0.16) return writeToTeam(world);
  if (turn < 0.2) return isFull ? visit(world) : signUp(world);
  const idle = world.students.filter(({ isBusy }) => !isBusy);
  const student = idle[Math.floor(world.random() * idle.length)];
  if (!student) return visit(world);
  student.isBusy = true;
  try {
    await beSignedIn(student.person);
    await weighted(studentActions, world.random())(world, student);
  } finally {
    student.isBusy = false;
  }
}

async function administer(world: World, administrator: Administrator): Promise<void> {
  const { status } = await administrator.person.send("GET", "/api/auth/user");
  if (status === 401) await signInFresh(administrator);
  await weighted(administratorActions, world.random())(world, administrator);
  await wait(500);
}

/** A day and a half per minute: sessions and quotes expire, and renewals are due every twenty minutes. */
async function moveTime(installation: Installation): Promise<void> {
  await wait(40_000);
  await installation.advance("1d");
}

async function killOne(
  { killable, allServe }: Installation,
  { outages }: Requests,
  walk: () => number,
  kills: Record<string, number>,
): Promise<void> {
  const wholeAt = performance.now() + killEveryMs;
  await wait(walk() * killEveryMs * 0.3);
  // The one that was killed least often, so that a short run kills all of them.
  const fewest = Math.min(...Object.keys(killable).map((name) => kills[name] ?? 0));
  const next = Object.entries(killable).filter(([name]) => (kills[name] ?? 0) === fewest);
  const [name, victim] = next[Math.floor(walk() * next.length)] ?? [];
  if (!name || !victim) throw new Error("nothing can die");
  const outage = { name, from: performance.now(), until: Number.POSITIVE_INFINITY };
  outages.push(outage);
  kills[name] = (kills[name] ?? 0) + 1;
  try {
    await victim.kill();
    await wait(walk() * 5000);
    await victim.revive();
  } finally {
    await allServe();
    outage.until = performance.now() + recoveryMs;
  }
  await wait(Math.max(0, wholeAt - performance.now()));
}

function randomOf(what: string): () => number {
  const random = new SeededRandom(what, String(seed));
  return () => random.next();
}

function weighted<Value>(of: readonly (readonly [weight: number, value: Value])[], turn: number): Value {
  let left = turn * of.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, value] of of) {
    left -= weight;
    if (left < 0) return value;
  }
  throw new Error("the weights end before the turn");
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
