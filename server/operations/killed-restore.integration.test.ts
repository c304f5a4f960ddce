import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Resource } from "#contract/resources.ts";
import { readConfig } from "#server/context/config.ts";
import { backUp } from "#server/operations/backup.ts";
import { examine } from "#server/operations/doctor/doctor.ts";
import { s3Storage } from "#server/storage/s3.ts";
import { addressOf } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { freePort } from "#test/free-port.ts";
import { createEmptyDatabase } from "#test/postgres.ts";
import { programEnv } from "#test/program-env.ts";
import { openObjectStore } from "#test/stand-ins/object-store.ts";

let folder: string;
let backup: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "academy-killed-restore-"));
  backup = join(folder, "academy.tar");
  await using academy = await openAcademyInProcess();
  const env = { DATA_DIR: academy.dataDir, DATABASE_URL: addressOf(academy.database) };
  await backUp(readConfig(env), backup, "1.2.3");
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));

type Env = Record<string, string>;

function startRestore(env: Env, file = backup): ChildProcess {
  return spawn(process.execPath, ["scripts/operate.ts", "restore", file], { env: { ...programEnv, ...env } });
}

async function outcomeOf(child: ChildProcess): Promise<{ code: number | null; said: string }> {
  if (!child.stdout || !child.stderr) throw new Error("The output is not piped.");
  const [said, failed, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: code as number | null, said: `${said}${failed}`.trim() };
}

type RestoreEnv = Env & { DATA_DIR: string };

const noteIn = ({ DATA_DIR }: RestoreEnv) => join(DATA_DIR, "restore-unfinished.json");

/** Kills a restore as soon as it has come so far; true when that was before its last step, which a quick one may reach. */
async function killRestore(env: RestoreEnv, hasCome: () => boolean | Promise<boolean>): Promise<boolean> {
  const child = startRestore(env);
  const ended = outcomeOf(child);
  while (child.exitCode === null && !(await hasCome())) await wait(1);
  child.kill("SIGKILL");
  const { code } = await ended;
  return code === null && (existsSync(noteIn(env)) || existsSync(join(env.DATA_DIR, "restoring")));
}

/** What an operator finds after a restore was killed, and does. */
async function expectRecovery(env: RestoreEnv): Promise<void> {
  if (existsSync(noteIn(env))) {
    const start = spawn(process.execPath, ["server/main.ts"], {
      env: { ...programEnv, PORT: String(await freePort()), ...env },
    });
    expect(await outcomeOf(start)).toEqual({
      code: 1,
      said: `DATA_DIR ${env.DATA_DIR} holds a restore that was not finished: run npm run restore -- ${backup} once more, or use an empty location.`,
    });
    const findings: string[] = [];
    for await (const { name, problem } of examine({ PORT: "9", ...env }, "24.21.0")) if (problem) findings.push(name);
    expect(findings).toEqual(["Restore"]);
  }
  const again = await outcomeOf(startRestore(env));
  expect(again.said).toMatch(/^Restored and compared: /);
  expect(again.code).toBe(0);
  expect(existsSync(noteIn(env))).toBe(false);
}

async function expectWhole(env: Env): Promise<void> {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.drop());
  await using academy = await openAcademyInProcess(env, database);
  const student = await academy.visitor().signInAsDemo("vip@academy.test");
  const resources = (await (await student.send("GET", "/api/resources")).json()) as Resource[];
  expect(resources.length).toBeGreaterThan(4);
  for (const { fileUrl } of resources) expect((await student.send("GET", fileUrl ?? "")).status).toBe(200);
  expect((await fetch(`${academy.url}/readyz`)).status).toBe(200);
}

test.each([
  ["while rows come in", (dataDir: string) => existsSync(join(dataDir, "restoring", "postgres", "postmaster.pid"))],
  ["when the database moved into DATA_DIR", (dataDir: string) => existsSync(join(dataDir, "postgres"))],
])(
  "a restore with the embedded database that was killed %s is recognised, and finished by the same one",
  async (words, hasCome) => {
    const dataDir = join(folder, words.replaceAll(" ", "-"));
    const env = { DATA_DIR: dataDir };
    const wasKilled = await killRestore(env, () => hasCome(dataDir));
    if (wasKilled) await expectRecovery(env);
    await expectWhole({ ...env, DATABASE_URL: "" });
  },
);

test.each(["while files come back", "when the rows are in force"])(
  "a restore into a server's database and an object store that was killed %s is finished by the same one, and by no other academy",
  async (words) => {
    const database = await createEmptyDatabase();
    onTestFinished(() => database.drop());
    await using store = await openObjectStore();
    const dataDir = join(folder, `s3-${words.replaceAll(" ", "-")}`);
    const bucket = await s3Storage(store, join(folder, "incoming"));
    const env = {
      DATA_DIR: dataDir,
      DATABASE_URL: addressOf(database),
      S3_ENDPOINT: store.endpoint,
      S3_BUCKET: store.bucket,
      S3_REGION: store.region,
      S3_ACCESS_KEY_ID: store.accessKeyId,
      S3_SECRET_ACCESS_KEY: store.secretAccessKey,
    };
    const client = new pg.Client(database.connection);
    await client.connect();
    onTestFinished(() => client.end());
    const conditions: Record<string, () => boolean | Promise<boolean>> = {
      "while files come back": async () => !(await bucket.list("resources")[Symbol.asyncIterator]().next()).done,
      "when the rows are in force": () =>
        client.query("select from users limit 1").then(
          ({ rowCount }) => rowCount === 1,
          () => false,
        ),
    };
    if (!(await killRestore(env, conditions[words] ?? (() => true)))) return await expectWhole(env);

    const stranger = { ...env, DATA_DIR: join(folder, `other-${words}`), DATABASE_URL: "" };
    await expect(openAcademyInProcess(stranger)).rejects.toThrow(/A restore into the bucket academy was not finished/);
    await expectRecovery(env);
    await expectWhole(env);
  },
);
