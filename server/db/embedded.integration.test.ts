import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startEmbeddedPostgres } from "#server/db/embedded.ts";

test("a row that was acknowledged is there after the process was killed", async () => {
  const dataDir = temporaryDirectory();
  const writer = spawn(process.execPath, ["--input-type=module", "--eval", writerProgram, dataDir], {
    cwd: process.cwd(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const acknowledged = await linesUntil(writer, 50);
  writer.kill("SIGKILL");
  await once(writer, "exit");

  const postgres = await startEmbeddedPostgres(dataDir);
  onTestFinished(() => postgres.stop());
  const rows = await query(postgres.connection, "select count(*)::int as count from rows");
  expect(rows[0].count).toBeGreaterThanOrEqual(acknowledged);
});

test("PostgreSQL ends with the process that started it, even when that is killed", async () => {
  const dataDir = temporaryDirectory();
  const owner = spawn(process.execPath, ["--input-type=module", "--eval", writerProgram, dataDir], {
    cwd: process.cwd(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  await linesUntil(owner, 1);
  const pid = postmasterOf(dataDir);
  owner.kill("SIGKILL");
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test("PostgreSQL comes back by itself after it was killed, and says so", async () => {
  const dataDir = temporaryDirectory();
  const messages: string[] = [];
  const postgres = await startEmbeddedPostgres(dataDir, { report: (message) => messages.push(message) });
  onTestFinished(() => postgres.stop());
  await query(postgres.connection, "create table kept as select 1 as one");

  process.kill(postmasterOf(dataDir), "SIGKILL");
  await expect.poll(() => messages.at(-1)).toBe("PostgreSQL serves again.");
  expect(messages[0]).toBe("PostgreSQL ended (SIGKILL). Starting it again.");
  expect(await query(postgres.connection, "select one from kept")).toEqual([{ one: 1 }]);
});

test("a slow start is waited for and reported", async () => {
  const dataDir = temporaryDirectory();
  chmodSync(dataDir, 0o711);
  const pidFile = join(dataDir, "pid");
  // PostgreSQL writes its number there first, and waits until somebody reads it.
  expect(spawnSync("mkfifo", ["--mode=666", pidFile]).status).toBe(0);
  const messages: string[] = [];
  const settings = { external_pid_file: "../pid" };
  const starting = startEmbeddedPostgres(dataDir, { settings, report: (message) => messages.push(message) });
  await expect.poll(() => messages).toEqual(["PostgreSQL is still starting: after a crash it first recovers."]);
  await readFile(pidFile);
  const postgres = await starting;
  onTestFinished(() => postgres.stop());
  expect(await query(postgres.connection, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("it starts while the killed server is a zombie", async () => {
  const dataDir = temporaryDirectory();
  const owner = spawn(process.execPath, ["--input-type=module", "--eval", writerProgram, dataDir], {
    cwd: process.cwd(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const acknowledged = await linesUntil(owner, 10);
  const dead = postmasterOf(dataDir);
  // A stopped parent reaps nobody: its dead child keeps its number.
  owner.kill("SIGSTOP");
  process.kill(dead, "SIGKILL");
  onTestFinished(() => void owner.kill("SIGKILL"));
  expect(isRunning(dead)).toBe(true);

  const postgres = await startEmbeddedPostgres(dataDir);
  onTestFinished(() => postgres.stop());
  expect(isRunning(dead)).toBe(true);
  const rows = await query(postgres.connection, "select count(*)::int as count from rows");
  expect(rows[0].count).toBeGreaterThanOrEqual(acknowledged);
});

test("it starts although the killed server's process id was reused", async () => {
  const dataDir = temporaryDirectory();
  await (await startEmbeddedPostgres(dataDir)).stop();
  const other = spawn("sleep", ["600"]);
  onTestFinished(() => void other.kill("SIGKILL"));
  writeFileSync(join(dataDir, "postgres", "postmaster.pid"), `${other.pid}\n${dataDir}/postgres\n1\n5432\n\n\n\n`);
  const postgres = await startEmbeddedPostgres(dataDir);
  onTestFinished(() => postgres.stop());
  expect(await query(postgres.connection, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("it syncs every commit to the disk, checks its pages and listens on no port", async () => {
  const postgres = await startEmbeddedPostgres(temporaryDirectory());
  onTestFinished(() => postgres.stop());
  const show = async (name: string) => Object.values((await query(postgres.connection, `show ${name}`))[0])[0];
  expect(await show("fsync")).toBe("on");
  expect(await show("synchronous_commit")).toBe("on");
  expect(await show("full_page_writes")).toBe("on");
  expect(await show("data_checksums")).toBe("on");
  expect(await show("listen_addresses")).toBe("");
  expect(await show("server_encoding")).toBe("UTF8");
});

test("a data directory with a very long path works", async () => {
  const dataDir = join(temporaryDirectory(), "a".repeat(120));
  const postgres = await startEmbeddedPostgres(dataDir);
  onTestFinished(() => postgres.stop());
  expect(await query(postgres.connection, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("it starts after an interrupted first start", async () => {
  const dataDir = temporaryDirectory();
  mkdirSync(join(dataDir, "postgres.unfinished-abcdef", "base"), { recursive: true });
  const postgres = await startEmbeddedPostgres(dataDir);
  onTestFinished(() => postgres.stop());
  expect(await query(postgres.connection, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("a database of another PostgreSQL version is refused in one sentence", async () => {
  const dataDir = temporaryDirectory();
  mkdirSync(join(dataDir, "postgres"));
  writeFileSync(join(dataDir, "postgres", "PG_VERSION"), "12\n");
  await expect(startEmbeddedPostgres(dataDir)).rejects.toThrow(
    /^The database in .* was made by PostgreSQL 12, and this academy comes with PostgreSQL 18: .*DATABASE_URL\.$/,
  );
});

test("a folder that cannot be written is refused in one sentence", async () => {
  const file = join(temporaryDirectory(), "file");
  writeFileSync(file, "");
  await expect(startEmbeddedPostgres(join(file, "data"))).rejects.toThrow(/^The database in .* cannot be written: /);
});

/** Writes rows one by one and prints the number of each after its commit. */
const writerProgram = `
  import pg from "pg";
  import { startEmbeddedPostgres } from "#server/db/embedded.ts";
  const { connection } = await startEmbeddedPostgres(process.argv[1]);
  const client = new pg.Client(connection);
  await client.connect();
  await client.query("create table rows (n int)");
  for (let n = 1; ; n++) {
    await client.query("insert into rows values ($1)", [n]);
    console.log(n);
  }
`;

/** Resolves with the last number that the writer printed once it has reached `count`. */
async function linesUntil(writer: ChildProcess, count: number): Promise<number> {
  if (!writer.stdout) throw new Error("The writer's output is not piped.");
  for await (const line of createInterface({ input: writer.stdout })) {
    if (Number(line) >= count) return Number(line);
  }
  throw new Error("The writer ended too early.");
}

function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "academy-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  return path;
}

function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n", 1)[0]);
}

function isRunning(pid: number): boolean {
  return spawnSync("kill", ["-0", String(pid)]).status === 0;
}

async function query(connection: pg.ClientConfig, text: string) {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}
