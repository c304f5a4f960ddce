import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { openDb } from "#server/db/db.ts";
import { applyRetention } from "#server/db/retention.ts";
import { handledJobs } from "#server/job-handlers.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { databaseOfFile } from "#test/fixtures.ts";
import { until } from "#test/until.ts";
import { countJobs, defineJob, forgetInJobs, jobRetention, type Lane, scheduleJob } from "./jobs.ts";
import { handleJob, type JobContext, startJobs } from "./runner.ts";

const { pool } = await databaseOfFile();
let now = new Date("2030-01-01T00:00:00Z");
const ctx: JobContext = {
  db: openDb(pool),
  clock: { now: () => now, onMove: () => {} },
  log: pino({ level: "silent" }),
};
/** A kind of job that carries anything. */
const kind = (name: string, lane: Lane = "other") => defineJob(name, z.any(), { lane });

/** Runs all due jobs on a new node. */
async function runDue(...handlers: Parameters<typeof startJobs>[1]): Promise<void> {
  const runner = startJobs(ctx, handlers);
  await runner.runDue();
  await runner.stop();
}

/** Schedules a job of this kind, which is due at once unless `more` says otherwise. */
const schedule = (name: string, data: unknown = {}, more: { key?: string; runAt?: Date } = {}) =>
  scheduleJob(ctx.db, kind(name), { data, runAt: now, now, ...more });

const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

test("a job runs once, when it is due, on two nodes at once [P23]", async () => {
  const done: string[] = [];
  const handlers = [handleJob(kind("note"), async (_ctx, name) => void done.push(name))];
  const [one, two] = [startJobs(ctx, handlers), startJobs(ctx, handlers)];
  for (let number = 0; number < 40; number++) await schedule("note", `${number}`);
  await schedule("note", "tomorrow", { runAt: later(24 * 60) });
  await Promise.all([one.runDue(), two.runDue()]);
  await Promise.all([one.stop(), two.stop()]);
  expect(done.sort()).toEqual(Array.from({ length: 40 }, (_, number) => `${number}`).sort());
  now = later(24 * 60);
  await runDue(...handlers);
  expect(done).toContain("tomorrow");
});

test("while a job waits, a second one with its key is not scheduled", async () => {
  const done: unknown[] = [];
  const dueAt = later(10);
  await schedule("once", 1, { key: "k", runAt: dueAt });
  await schedule("once", 2, { key: "k", runAt: dueAt });
  now = dueAt;
  await runDue(handleJob(kind("once"), async (_ctx, data) => void done.push(data)));
  expect(done).toEqual([1]);
});

test("a job of a transaction that fails does not exist", async () => {
  const done: unknown[] = [];
  await ctx.db
    .transaction(async (tx) => {
      await scheduleJob(tx, kind("ghost"), { data: 1, runAt: now, now });
      throw new Error("no");
    })
    .catch(() => {});
  await runDue(handleJob(kind("ghost"), async (_ctx, data) => void done.push(data)));
  expect(done).toEqual([]);
});

test("a failing job is retried, and one that always fails stays in the table", async () => {
  let tries = 0;
  const stubborn = handleJob(kind("stubborn"), async () => {
    tries += 1;
    throw new Error("not today");
  });
  await schedule("stubborn");
  for (let hour = 0; hour < 20; hour++) {
    await runDue(stubborn);
    now = later(61);
  }
  expect(tries).toBe(12);
  const { rows } = await pool.query("select attempts, last_error, failed_at from jobs where name = 'stubborn'");
  expect(rows).toMatchObject([{ attempts: 12, last_error: "Error: not today", failed_at: expect.any(Date) }]);
});

test("another node runs the job of a killed node after its claim has expired [I02]", async () => {
  await schedule("orphan");
  await pool.query("update jobs set claimed_until = $1 where name = 'orphan'", [later(2)]);
  const done: unknown[] = [];
  const orphan = handleJob(kind("orphan"), async (_ctx, data) => void done.push(data));
  await runDue(orphan);
  expect(done).toEqual([]);
  now = later(3);
  await runDue(orphan);
  expect(done).toEqual([{}]);
});

test("a job that kills its node each time is given up and stays in the table", async () => {
  let begun = 0;
  const deadly = handleJob(kind("deadly"), async () => {
    begun += 1;
  });
  await schedule("deadly");
  // Each node claims it, dies over it, and counts nothing afterwards.
  await pool.query("update jobs set attempts = 12, claimed_until = $1 where name = 'deadly'", [now]);
  await runDue(deadly);
  expect(begun).toBe(0);
  const { rows } = await pool.query("select last_error, failed_at from jobs where name = 'deadly'");
  expect(rows).toEqual([{ last_error: expect.stringContaining("died"), failed_at: expect.any(Date) }]);
});

test("a lane runs four jobs at once, the earliest first", async () => {
  const begun: number[] = [];
  let [atOnce, most] = [0, 0];
  const handler = handleJob(kind("minute"), async (_ctx, minute) => {
    begun.push(minute);
    atOnce += 1;
    most = Math.max(most, atOnce);
    await pool.query("select 1");
    atOnce -= 1;
  });
  const minutes = Array.from({ length: 30 }, (_, minute) => minute);
  for (const minute of minutes.toReversed()) await schedule("minute", minute, { runAt: later(minute - 30) });
  await runDue(handler);
  expect(most).toBe(4);
  expect(begun).toEqual(minutes);
});

test("jobs that a job makes due run in the same round, whichever lane they are of", async () => {
  const done: string[] = [];
  const next = (from: string, to: string, lane: Lane) =>
    handleJob(kind(from, lane), async () => {
      done.push(from);
      await scheduleJob(ctx.db, kind(to), { data: {}, runAt: now, now });
    });
  const last = handleJob(kind("last", "gateway"), async () => void done.push("last"));
  await schedule("first");
  await runDue(
    next("first", "second", "other"),
    next("second", "third", "mail"),
    next("third", "last", "webhooks"),
    last,
  );
  expect(done).toEqual(["first", "second", "third", "last"]);
});

test("jobs that wait for a silent server delay no job of another lane", async () => {
  expect(handledJobs.find(({ name }) => name === "forget-payment-method")?.lane).toBe("gateway");
  const { promise: silence, resolve: end } = Promise.withResolvers<void>();
  const sent: string[] = [];
  const handlers = [
    handleJob(kind("charge", "gateway"), () => silence),
    handleJob(kind("mail", "mail"), async (_ctx, to) => void sent.push(to)),
    handleJob(kind("other"), async () => void sent.push("other")),
  ];
  for (let number = 0; number < 50; number++) await schedule("charge", {}, { runAt: later(-1) });
  await schedule("mail", "ada");
  await schedule("other");
  const runner = startJobs(ctx, handlers);
  const round = runner.runDue();
  await until(async () => sent.length === 2);
  expect(sent.sort()).toEqual(["ada", "other"]);
  await schedule("mail", "grace");
  await until(async () => sent.includes("grace"));
  end();
  await round;
  await runner.stop();
  expect((await pool.query("select 1 from jobs where name = 'charge'")).rows).toEqual([]);
});

test("a stop waits eight seconds for a silent gateway, and another node runs the job again [I01]", async () => {
  const { promise: silence, resolve: end } = Promise.withResolvers<void>();
  let begun = 0;
  const charge = handleJob(kind("charge", "gateway"), () => {
    begun += 1;
    return begun === 1 ? silence : Promise.resolve();
  });
  await schedule("charge");
  const runner = startJobs(ctx, [charge]);
  await until(async () => begun === 1);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let isStopped = false;
  runner.stop().then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(7_999);
  expect(isStopped).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isStopped).toBe(true);
  vi.useRealTimers();
  await runDue(charge);
  expect(begun).toBe(1);
  now = later(3);
  await runDue(charge);
  expect(begun).toBe(2);
  end();
});

test("a claim is renewed while its job runs", async () => {
  const { promise: work, resolve: end } = Promise.withResolvers<void>();
  let begun = 0;
  const handlers = [
    handleJob(kind("long"), () => {
      begun += 1;
      return work;
    }),
  ];
  await schedule("long");
  const [one, two] = [startJobs(ctx, handlers), startJobs(ctx, handlers)];
  const claimedUntil = async () =>
    (await pool.query("select claimed_until from jobs where name = 'long'")).rows[0]?.claimed_until as Date | null;
  const first = await until(claimedUntil);
  // A claim is for two minutes.
  for (let minute = 1; minute <= 3; minute++) {
    now = later(1);
    await until(async () => Number(await claimedUntil()) >= Number(first) + minute * 60_000);
  }
  expect(begun).toBe(1);
  end();
  await Promise.all([one.runDue(), two.runDue()]);
  await Promise.all([one.stop(), two.stop()]);
  expect(begun).toBe(1);
  expect((await pool.query("select 1 from jobs where name = 'long'")).rows).toEqual([]);
});

test("a running job is not started again when the clock moves past its claim", async () => {
  const { promise: work, resolve: end } = Promise.withResolvers<void>();
  let begun = 0;
  const runner = startJobs(ctx, [
    handleJob(kind("long"), () => {
      begun += 1;
      return work;
    }),
    handleJob(kind("note", "mail"), async () => end()),
  ]);
  await schedule("long");
  await until(async () => begun === 1);
  await schedule("note", {}, { runAt: later(10) });
  now = later(10);
  await runner.runDue();
  await runner.stop();
  expect(begun).toBe(1);
});

test("jobs with a person's address in data or error are deleted with the account [G02]", async () => {
  const done: unknown[] = [];
  const email = handleJob(kind("email"), async (_ctx, { to }) => {
    if (to.includes("unknown")) throw new Error("550 <Ada.Shelf@Example.test> is unknown");
    done.push(to);
  });
  await schedule("email", { to: "unknown" });
  await runDue(email);
  await schedule("email", { to: "ADA.shelf@example.test" }, { runAt: later(5) });
  await schedule("email", { to: "somebody.else@example.test" }, { runAt: later(5) });
  await forgetInJobs(ctx.db, "ada.shelf@example.test");
  now = later(10);
  await runDue(email);
  expect(done).toEqual(["somebody.else@example.test"]);
  const { rows } = await pool.query("select data, last_error from jobs");
  expect(JSON.stringify(rows).toLowerCase()).not.toContain("ada.shelf");
});

test("jobs with a longer address that contains the person's stay [G02]", async () => {
  const done: unknown[] = [];
  const others = [
    "to mary.ann@example.test",
    "ann@example.test.example",
    "ann@example.test-two.example",
    "joan+ann@example.test",
    "o'ann@example.test",
    "a/ann@example.test",
    "zoë.ann@example.test",
    "zoëann@example.test",
  ];
  const theirs = [
    "ann@example.test",
    "Hello,\nAnn@example.test wrote.",
    "from <ann@example.test>.",
    "to 'ann@example.test'",
    "to “Ann@example.test”",
    "to `ann@example.test`",
  ];
  for (const text of [...others, ...theirs]) {
    await schedule("email", { text }, { runAt: later(5) });
  }
  await forgetInJobs(ctx.db, "ann@example.test");
  now = later(10);
  await runDue(handleJob(kind("email"), async (_ctx, { text }) => void done.push(text)));
  expect(done.toSorted()).toEqual(others.toSorted());
});

test("jobs that failed for good are deleted when they are old [G04]", async () => {
  await schedule("nobody's");
  await pool.query("update jobs set attempts = 11 where name = 'nobody''s'");
  await runDue();
  now = later(60);
  const { failed } = await countJobs(ctx.db, now);
  expect(failed).toBeGreaterThan(0);
  await applyRetention(ctx.db, jobRetention, later(29 * 24 * 60));
  expect((await countJobs(ctx.db, now)).failed).toBe(failed);
  await applyRetention(ctx.db, jobRetention, later(30 * 24 * 60));
  expect((await countJobs(ctx.db, now)).failed).toBe(0);
});

test("a failing purge has still scheduled all repeating jobs, itself and one that had failed for good included", async () => {
  await schedule("reconcile", {}, { key: "failed" });
  await pool.query("update jobs set failed_at = $1 where name = 'reconcile'", [now]);
  await pool.query("alter table sessions rename to sessions_away");
  const purge = handledJobs.find(({ name }) => name === "purge");
  await expect(purge?.run(ctx as PaymentContext, {}, "one", false, new AbortController().signal)).rejects.toThrow();
  const { rows } = await pool.query("select distinct name from jobs where run_at >= $1 and failed_at is null", [now]);
  const regular = ["purge", "reconcile", "recount-learning", "sweep-renewals", "sweep-resources"];
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(regular));
});

test("an email is retried for days", async () => {
  const emails = handledJobs.filter(({ name }) => /mail|letter/.test(name));
  expect(emails.filter(({ lane }) => lane !== "mail")).toEqual([]);

  let isBack = false;
  const sent: unknown[] = [];
  const patient = handleJob(kind("patient", "mail"), async (_ctx, data) => {
    if (!isBack) throw new Error("nobody answers");
    sent.push(data);
  });
  await schedule("patient", "hello");
  await runDue(patient);
  // As after four days.
  await pool.query("update jobs set attempts = 96 where name = 'patient'");
  now = later(61);
  await runDue(patient);
  isBack = true;
  now = later(61);
  await runDue(patient);
  expect(sent).toEqual(["hello"]);
});

test("a job with data of an unknown shape fails with a message and does not run", async () => {
  const done: unknown[] = [];
  const strict = defineJob("strict", z.object({ purchaseId: z.string() }));
  await schedule("strict", { purchase: 7 });
  await scheduleJob(ctx.db, strict, { data: { purchaseId: "p1" }, runAt: now, now });
  await runDue(handleJob(strict, async (_ctx, data) => void done.push(data)));
  expect(done).toEqual([{ purchaseId: "p1" }]);
  const { rows } = await pool.query("select last_error from jobs where name = 'strict'");
  expect(rows).toEqual([{ last_error: expect.stringMatching(/another shape .*purchaseId/) }]);
});
