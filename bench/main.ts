// npm run bench: what the academy does on this machine, compared with the machine's ceiling.
//
// The academy runs like `npm start`, on its embedded PostgreSQL in a temporary DATA_DIR, or on a new database of
// DATABASE_URL's server. wrk, the server and the database share the CPUs. Each figure is shown next to that of a bare
// server with the same work: bare-page.ts sends the same bytes, and bare-answers.ts runs the same statements, which
// recorder.ts recorded while the academy replied. Rounds alternate between both, and the worst of ours is compared with
// the median of theirs. A single unsuccessful reply ends the run. The bare server runs its statements one by one, while
// ours combines those that it needs at once, so heartbeats may exceed their ceiling. At the end heartbeats are sent at
// constant rates, regardless of replies, and the database must contain all that were accepted (bench/heartbeats.ts).
//
// Passes on options of Node, such as --max-semi-space-size: node bench/main.ts <options>. HEARTBEAT_MINUTES=10 sets the
// minutes at a constant rate, 1 by default.
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "#test/free-port.ts";
import { Visitor } from "#test/visitor.ts";
import { openDatabase, versionOf } from "./database.ts";
import { measureHeartbeats } from "./heartbeats.ts";
import { areHeartbeatsKept, openStudents, recordAnswers } from "./load/students.ts";
import { connections, isWrkInstalled, type Load, type Round, sendFor } from "./load/wrk.ts";
import { postgresMb, postgresProcesses, residentMb, watchHighest } from "./memory.ts";
import { type Running, startProgram } from "./programs.ts";
import { comparison, figure, median } from "./report.ts";

const rounds = 3;
const seconds = 5;
/** Long enough for both sides' code to be compiled. */
const warmUpSeconds = 10;
const starts = 5;
const heartbeatMinutes = Number(process.env.HEARTBEAT_MINUTES ?? 1);
const nodeOptions = process.argv.slice(2);
const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

if (!isWrkInstalled()) {
  console.error("The bench sends its load with wrk, which is not installed: apt install wrk, or brew install wrk.");
  process.exit(1);
}

const folder = await mkdtemp(join(tmpdir(), "academy-bench-"));
const dataDir = join(folder, "data");
const database = await openDatabase(dataDir);
const running: Running[] = [];
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => close().then(() => process.exit(1)));
try {
  await bench();
} catch (error) {
  // Errors of the bench itself are plain sentences.
  console.error(error instanceof Error && error.constructor === Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await close();
}

async function close(): Promise<void> {
  for (const program of running.splice(0).reverse()) await program.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
}

async function bench(): Promise<void> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const secret = randomBytes(32).toString("base64url");
  const env = {
    ...database.env,
    PORT: String(port),
    PUBLIC_URL: origin,
    DATA_DIR: dataDir,
    SESSION_SECRET: secret,
    DEMO_HISTORY: "none",
  };
  const startAcademy = (...options: string[]) =>
    start([...nodeOptions, ...options, fileOf("../scripts/start.mjs")], env);

  console.log("Filling an academy and recording what it does…");
  const recorded = await startAcademy("--import", fileOf("./recorder.ts"));
  const students = await openStudents(() => new Visitor(origin));
  const { reads, heartbeats } = await recordAnswers(students, (listener) => recorded.child.on("message", listener));
  const answersFile = join(folder, "answers.json");
  await writeFile(answersFile, JSON.stringify([...reads, ...heartbeats]));
  await recorded.stop();

  console.log(`Starting it ${starts} times…`);
  const readyMs: number[] = [];
  let academy = await startAcademy();
  for (let started = 1; ; started++) {
    readyMs.push(academy.readyMs);
    if (started === starts) break;
    await academy.stop();
    academy = await startAcademy();
  }
  const pid = academy.child.pid ?? 0;
  await delay(3000);
  const idleMb = residentMb(pid);

  const barePage = await startBare("./bare-page.ts", `${origin}/`);
  const bareAnswers = await startBare("./bare-answers.ts", answersFile, JSON.stringify(database.connection));
  const version = await versionOf(database.connection);
  console.log(`Node ${process.version}, PostgreSQL ${version}, ${availableParallelism()} processors for everything.`);
  console.log(
    `${rounds} rounds of ${seconds} s with ${connections} connections: our worst beside the ceiling's median.\n`,
  );
  const highestMb = watchHighest(() => residentMb(pid));
  const compare = async (name: string, ceiling: string, loads: readonly Load[], goal: number) => {
    const ours: Round[] = [];
    const theirs: Round[] = [];
    const send = (to: string, seconds: number) => sendFor(seconds, to, loads, join(folder, "loads"), origin);
    for (const to of [origin, ceiling]) await send(to, warmUpSeconds);
    for (let round = 0; round < rounds; round++) {
      ours.push(await send(origin, seconds));
      theirs.push(await send(ceiling, seconds));
    }
    console.log(comparison(name, ours, theirs, goal));
  };
  await compare("landing page", barePage, [{ method: "GET", path: "/", cookie: "", body: "" }], 0.6);
  await compare("signed-in mix", bareAnswers, reads, 0.7);
  await compare("heartbeats", bareAnswers, heartbeats, 0.9);

  console.log();
  console.log(figure("ready, median", median(readyMs) / 1000, "s", 1.5));
  console.log(figure("ready, worst", Math.max(...readyMs) / 1000, "s", 1.5));
  console.log(figure("memory, idle", idleMb, "MB", 150));
  console.log(figure("memory, under load", highestMb(), "MB", 250));
  if (database.directory) console.log(figure("memory, database", postgresMb(database.directory), "MB", 100));

  for (const student of students) {
    if (!(await areHeartbeatsKept(student))) throw new Error("Heartbeats were answered, but are not in the record.");
  }
  const { connection, directory } = database;
  const processes = () => ({ node: [pid], database: directory ? postgresProcesses(directory) : [] });
  if (!(await measureHeartbeats({ connection, origin, secret, folder, processes }, heartbeatMinutes))) {
    console.error("Heartbeats were refused or lost.");
    process.exitCode = 1;
  }
}

/** Starts a bare server. Resolves to its origin. */
async function startBare(file: string, ...args: string[]): Promise<string> {
  const port = String(await freePort());
  await start([...nodeOptions, fileOf(file), port, ...args], {});
  return `http://127.0.0.1:${port}`;
}

async function start(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Running> {
  const program = await startProgram(args, env);
  running.push(program);
  return program;
}
