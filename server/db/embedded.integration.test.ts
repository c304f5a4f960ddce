import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startEmbeddedPostgres } from "#server/db/embedded.ts";
import { folderOfFile, folderOfTest } from "#test/temporary-folder.ts";
import { until } from "#test/until.ts";

/** Its database is made by the first test. */
const dataDir = folderOfFile();

test("PostgreSQL ends with a killed process, and every acknowledged row is there after the next start", async () => {
  const writer = startWriter();
  const acknowledged = await linesUntil(writer, 50);
  const pid = postmasterOf();
  writer.kill("SIGKILL");
  await once(writer, "exit");
  await until(async () => !exists(pid));

  await using postgres = await start();
  const [row] = await query(postgres.connection, "select count(*)::int as count from rows");
  expect(row.count).toBeGreaterThanOrEqual(acknowledged);
});

test("PostgreSQL comes back by itself after it was killed, and says so", async () => {
  const messages: string[] = [];
  await using postgres = await start({ report: (message) => messages.push(message) });
  await query(postgres.connection, "create table kept as select 1 as one");

  process.kill(postmasterOf(), "SIGKILL");
  await until(async () => messages.at(-1) === "PostgreSQL serves again.");
  expect(messages[0]).toBe("PostgreSQL ended (SIGKILL). Starting it again.");
  expect(await query(postgres.connection, "select one from kept")).toEqual([{ one: 1 }]);
});

test("a slow start is waited for and reported", async () => {
  chmodSync(dataDir, 0o711);
  const pidFile = join(dataDir, "pid");
  // PostgreSQL writes its number there first, and waits until somebody reads it.
  expect(spawnSync("mkfifo", ["--mode=666", pidFile]).status).toBe(0);
  const messages: string[] = [];
  const settings = { external_pid_file: "../pid" };
  const starting = start({ settings, report: (message) => messages.push(message) });
  await until(async () => messages.length > 0);
  expect(messages).toEqual(["PostgreSQL is still starting: after a crash it first recovers."]);
  await readFile(pidFile);
  await using postgres = await starting;
  expect(await query(postgres.connection, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("it starts while the killed server is a zombie", async () => {
  const owner = startWriter();
  const acknowledged = await linesUntil(owner, 10);
  const dead = postmasterOf();
  // A stopped parent reaps nobody: its dead child keeps its number.
  owner.kill("SIGSTOP");
  process.kill(dead, "SIGKILL");
  onTestFinished(() => void owner.kill("SIGKILL"));
  expect(exists(dead)).toBe(true);

  await using postgres = await start();
  expect(exists(dead)).toBe(true);
  const [row] = await query(postgres.connection, "select count(*)::int as count from rows");
  expect(row.count).toBeGreaterThanOrEqual(acknowledged);
});

test("it starts although the killed server's process id was reused", async () => {
  const other = spawn("sleep", ["600"]);
  onTestFinished(() => void other.kill("SIGKILL"));
  writeFileSync(join(dataDir, "postgres", "postmaster.pid"), `${other.pid}\n${dataDir}/postgres\n1\n5432\n\n\n\n`);
  await using postgres = await start();
  expect(await query(postgres.connection, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("an interrupted first start is repeated, in a path of any length, and every commit is synced", async () => {
  const long = join(folderOfTest(), "a".repeat(120));
  mkdirSync(join(long, "postgres.unfinished-abcdef", "base"), { recursive: true });
  await using postgres = await start({}, long);
  const show = async (name: string) => Object.values((await query(postgres.connection, `show ${name}`))[0])[0];
  expect(await show("fsync")).toBe("on");
  expect(await show("synchronous_commit")).toBe("on");
  expect(await show("full_page_writes")).toBe("on");
  expect(await show("data_checksums")).toBe("on");
  expect(await show("listen_addresses")).toBe("");
  expect(await show("server_encoding")).toBe("UTF8");
});

test("a database of another PostgreSQL version is refused in one sentence", async () => {
  const old = folderOfTest();
  mkdirSync(join(old, "postgres"));
  writeFileSync(join(old, "postgres", "PG_VERSION"), "12\n");
  await expect(startEmbeddedPostgres(old)).rejects.toThrow(
    /^The database in .* was made by PostgreSQL 12, and this academy comes with PostgreSQL 18: .*DATABASE_URL\.$/,
  );
});

test("a folder that cannot be written is refused in one sentence", async () => {
  const file = join(folderOfTest(), "file");
  writeFileSync(file, "");
  await expect(startEmbeddedPostgres(join(file, "data"))).rejects.toThrow(/^The database in .* cannot be written\. /);
});

/** Writes rows one by one and prints the number of each after its commit. */
const writerProgram = `
  import pg from "pg";
  import { startEmbeddedPostgres } from "#server/db/embedded.ts";
  const { connection } = await startEmbeddedPostgres(process.argv[1]);
  const client = new pg.Client(connection);
  await client.connect();
  await client.query("create table if not exists rows (n int)");
  await client.query("truncate rows");
  for (let n = 1; ; n++) {
    await client.query("insert into rows values ($1)", [n]);
    console.log(n);
  }
`;

function startWriter(): ChildProcess {
  return spawn(process.execPath, ["--input-type=module", "--eval", writerProgram, dataDir], {
    cwd: process.cwd(),
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function start(options: Parameters<typeof startEmbeddedPostgres>[1] = {}, directory = dataDir) {
  const postgres = await startEmbeddedPostgres(directory, options);
  return { ...postgres, [Symbol.asyncDispose]: () => postgres.stop() };
}

/** Resolves with the last number that the writer printed once it has reached `count`. */
async function linesUntil(writer: ChildProcess, count: number): Promise<number> {
  if (!writer.stdout) throw new Error("The writer's output is not piped.");
  for await (const line of createInterface({ input: writer.stdout })) {
    if (Number(line) >= count) return Number(line);
  }
  throw new Error("The writer ended too early.");
}

function postmasterOf(): number {
  return Number(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n", 1)[0]);
}

/** Also as a zombie. */
const exists = (pid: number) => existsSync(`/proc/${pid}`);

async function query(connection: pg.ClientConfig, text: string) {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}
