import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import type { Resource } from "#contract/resources.ts";
import { readConfig } from "#server/context/config.ts";
import { backUp } from "#server/operations/backup.ts";
import { restore } from "#server/operations/restore.ts";
import { s3Storage } from "#server/storage/s3.ts";
import { addressOf } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { databaseOfTest, test } from "#test/fixtures.ts";
import { environmentOf, findings } from "#test/operate.ts";
import { createEmptyDatabase, type TestDatabase } from "#test/postgres.ts";
import { programEnv } from "#test/program-env.ts";
import { openObjectStore, storeEnv } from "#test/stand-ins/object-store.ts";
import { folderOfFile } from "#test/temporary-folder.ts";

const folder = folderOfFile();
const backup = join(folder, "academy.tar");
test.beforeAll(async ({ academy }) => {
  await backUp(readConfig(environmentOf(academy)), backup, "1.2.3");
});

type Env = Record<string, string>;

type RestoreEnv = Env & { DATA_DIR: string };

const noteIn = ({ DATA_DIR }: RestoreEnv) => join(DATA_DIR, "restore-unfinished.json");

/** Kills a restore as soon as it has come so far; true when that was before its last step, which a quick one may reach. */
async function killRestore(env: RestoreEnv, hasCome: () => boolean | Promise<boolean>): Promise<boolean> {
  const child = spawn(process.execPath, ["scripts/operate.ts", "restore", backup], {
    env: { ...programEnv, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said = text(child.stderr);
  const ended = once(child, "exit");
  while (child.exitCode === null && !(await hasCome())) await wait(1);
  child.kill("SIGKILL");
  const [code] = await ended;
  expect(code ?? 0, await said).toBe(0);
  return code === null && (existsSync(noteIn(env)) || existsSync(join(env.DATA_DIR, "restoring")));
}

/** What an operator finds after a restore was killed, and does. */
async function expectRecovery(env: RestoreEnv, database?: TestDatabase): Promise<void> {
  if (existsSync(noteIn(env))) {
    await expect(openAcademyInProcess({ DATABASE_URL: "", ...env }, database)).rejects.toThrow(
      `DATA_DIR ${env.DATA_DIR} holds a restore that was not finished: run npm run restore -- ${backup} once more, or use an empty location.`,
    );
    const problems = (await Array.fromAsync(findings({ PORT: "9", ...env }))).filter(({ problem }) => problem);
    expect(problems.map(({ name }) => name)).toEqual(["Restore"]);
  }
  expect((await restore(readConfig(env), backup)).tables.length).toBeGreaterThan(10);
  expect(existsSync(noteIn(env))).toBe(false);
}

async function expectWhole(env: Env, database?: TestDatabase): Promise<void> {
  await using academy = await openAcademyInProcess(env, database);
  const student = await academy.visitor().signInAsDemo("vip@academy.test");
  const resources = (await (await student.send("GET", "/api/resources")).json()) as Resource[];
  expect(resources.length).toBeGreaterThan(4);
  for (const { fileUrl } of resources) expect((await student.send("GET", fileUrl ?? "")).status).toBe(200);
  expect((await fetch(`${academy.url}/readyz`)).status).toBe(200);
}

/** `killed-restore.long.test.ts` has all. */
const hasAllCases = process.env.RESTORE_CASES === "all";

const embedded = [
  ["while rows come in", (dataDir: string) => existsSync(join(dataDir, "restoring", "postgres", "postmaster.pid"))],
  ["when the database moved into DATA_DIR", (dataDir: string) => existsSync(join(dataDir, "postgres"))],
] as const;

test.for(hasAllCases ? embedded : [])(
  "an embedded restore that was killed %s is finished by the same one",
  async ([words, hasCome]) => {
    const dataDir = join(folder, words.replaceAll(" ", "-"));
    const env = { DATA_DIR: dataDir };
    const wasKilled = await killRestore(env, () => hasCome(dataDir));
    if (wasKilled) await expectRecovery(env);
    await expectWhole({ ...env, DATABASE_URL: "" });
  },
);

test.for(["while files come back", "when the rows are in force"].slice(0, hasAllCases ? 2 : 1))(
  "a restore into a server and an object store, killed %s, is finished by the same one alone",
  async (words) => {
    const { database, pool } = await databaseOfTest(createEmptyDatabase());
    await using store = await openObjectStore();
    const dataDir = join(folder, `s3-${words.replaceAll(" ", "-")}`);
    const bucket = await s3Storage(store, join(folder, "incoming"));
    const env = { DATA_DIR: dataDir, DATABASE_URL: addressOf(database), ...storeEnv(store) };
    const conditions: Record<string, () => boolean | Promise<boolean>> = {
      "while files come back": async () => !(await bucket.list("resources")[Symbol.asyncIterator]().next()).done,
      "when the rows are in force": () =>
        pool.query("select from users limit 1").then(
          ({ rowCount }) => rowCount === 1,
          () => false,
        ),
    };
    if (!(await killRestore(env, conditions[words] ?? (() => true)))) return await expectWhole(env, database);

    const stranger = { ...env, DATA_DIR: join(folder, `other-${words}`), DATABASE_URL: "" };
    await expect(openAcademyInProcess(stranger)).rejects.toThrow(/A restore into the bucket academy was not finished/);
    await expectRecovery(env, database);
    await expectWhole(env, database);
  },
);
