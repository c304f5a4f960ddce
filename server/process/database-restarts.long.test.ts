import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { updateProfile } from "#contract/profile.ts";
import { startEmbeddedPostgres } from "#server/db/embedded.ts";
import { openAcademy } from "#test/academy.ts";
import { childrenOf, isRunning } from "#test/processes.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

const rounds = Number(process.env.DATABASE_RESTARTS ?? 100);
const writers = 40;

/** How an operator, a crash and a lack of memory end PostgreSQL, or all of its connections. */
const ends = ["SIGINT", "SIGKILL", "SIGQUIT", "a connection"] as const;

test(`the academy outlives ${rounds} restarts of PostgreSQL under load, with every acknowledged write [I24]`, async () => {
  await using opened = new AsyncDisposableStack();
  const folder = opened.adopt(await mkdtemp(join(tmpdir(), "academy-restarts-")), (path) =>
    rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  );
  const postgres = opened.adopt(await startEmbeddedPostgres(folder), (it) => it.stop());
  const postmaster = () => Number(readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
  const database = { name: "postgres", connection: postgres.connection, drop: async () => {} };
  const academy = opened.use(await openAcademy({ TIME_LIMIT_FACTOR: "1" }, database));
  const { pid } = academy;

  const students: Visitor[] = [];
  while (students.length < writers) students.push(await academy.visitor().signUp());
  let isOver = false;
  let written = new Set<number>();
  const acknowledged = students.map(() => 0);
  const writing = students.map(async (student, at) => {
    for (let number = 1; !isOver; number++) {
      const body = { firstName: "Jo", lastName: "Vendor", phone: "", location: "", bio: String(number) };
      const answer = await student.call(updateProfile, { body }).catch(() => null);
      if (answer?.status !== 200) continue;
      acknowledged[at] = number;
      written.add(at);
    }
  });
  const allWrite = () => until(async () => written.size === writers || !isRunning(pid));

  await allWrite();
  for (let round = 0; round < rounds; round++) {
    const end = ends[round % ends.length] ?? "SIGKILL";
    const ended = end === "a connection" ? childrenOf(postmaster(), "academy postgres")[0] : postmaster();
    if (ended === undefined) throw new Error("the academy has no connection");
    process.kill(ended, end === "a connection" ? "SIGKILL" : end);
    await until(async () => !isRunning(ended));
    written = new Set();
    await allWrite();
    expect(isRunning(pid), `after round ${round + 1}, ${end}: ${academy.log.slice(-20).join("\n")}`).toBe(true);
  }
  isOver = true;
  await Promise.all(writing);
  for (const [at, student] of students.entries()) {
    // A busy machine may refuse a call within its time limits.
    const { body } = await until(async () => {
      const answer = await student.call(getCurrentUser);
      return answer.status === 200 && answer;
    });
    expect(Number(body.bio)).toBeGreaterThanOrEqual(acknowledged[at] ?? 0);
  }
  expect(academy.pid).toBe(pid);
  expect(await academy.stop()).toBe(0);
});
