import type { ChildProcess } from "node:child_process";
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { explainAndAdvise } from "#server/base/failures.ts";
import { findPostgresBinaries, type PostgresBinaries } from "#server/db/embedded-binaries.ts";
import { clearDeadLocks, end, endLeftovers, exitOf, spawnIn } from "#server/db/embedded-processes.ts";
import { DatabaseUnavailable } from "#server/db/unavailable.ts";

/** A PostgreSQL that ends with this process, however this process ends. */
export interface EmbeddedPostgres {
  readonly connection: { readonly host: string; readonly user: string; readonly database: string };
  /** Resolves once everything is on the disk and no process of PostgreSQL is left. */
  stop(): Promise<void>;
}

const nobody = 65_534;
const slowAfter = 5_000;
const maxPause = 10_000;
/** After a minute of service the pauses between restarts start from the shortest again. */
const settled = 60_000;

/** No TCP: the socket lies in a private directory. Errors are logged without details, which contain email addresses. */
const ordinarySettings: Readonly<Record<string, string>> = {
  listen_addresses: "",
  unix_socket_directories: ".",
  unix_socket_permissions: "0700",
  max_connections: "40",
  shared_buffers: "48MB",
  autovacuum_worker_slots: "3",
  autovacuum_max_workers: "2",
  io_method: "sync",
  max_worker_processes: "2",
  max_parallel_workers_per_gather: "0",
  max_logical_replication_workers: "0",
  max_wal_senders: "0",
  wal_level: "minimal",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
  log_checkpoints: "off",
};

/**
 * Starts PostgreSQL, and again whenever it dies. The caller must hold the lock of `dataDir`. `report` is told of each
 * restart and of slow starts.
 * @throws DatabaseUnavailable
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  {
    settings = {},
    report = () => {},
  }: { readonly settings?: Readonly<Record<string, string>>; readonly report?: (message: string) => void } = {},
): Promise<EmbeddedPostgres> {
  const directory = join(dataDir, "postgres");
  const binaries = findPostgresBinaries(process.getuid?.() === 0);
  const allSettings = { ...ordinarySettings, ...settings };
  const durable = allSettings.fsync !== "off";
  if (!existsSync(join(directory, "PG_VERSION"))) await initialize(binaries, dataDir, directory, durable);
  refuseOtherVersion(binaries, directory);

  const host = socketDirectory(directory);
  const server = new Supervised(() => launch(binaries, directory, allSettings, report), report);
  await server.start();
  return {
    connection: { host: host.path, user: "academy", database: "postgres" },
    async stop() {
      if (await server.stop()) host.release();
    },
  };
}

class Supervised {
  private readonly launch: () => Promise<ChildProcess>;
  private readonly report: (message: string) => void;
  private readonly stopping = new AbortController();
  private reviving: Promise<void> = Promise.resolve();
  private server: ChildProcess | undefined;

  constructor(launch: () => Promise<ChildProcess>, report: (message: string) => void) {
    this.launch = launch;
    this.report = report;
  }

  async start(): Promise<void> {
    const server = await this.launch();
    this.server = server;
    const startedAt = performance.now();
    server.once("exit", (code, signal) => {
      if (this.stopping.signal.aborted) return;
      const lived = performance.now() - startedAt;
      this.reviving = this.revive(`PostgreSQL ended (${signal ?? `code ${code}`}).`, lived < settled ? 200 : 0);
    });
  }

  async stop(): Promise<boolean> {
    if (this.stopping.signal.aborted) return false;
    this.stopping.abort();
    await this.reviving;
    if (this.server) await end(this.server);
    return true;
  }

  private async revive(reason: string, firstPause: number): Promise<void> {
    this.report(`${reason} Starting it again.`);
    for (let pause = firstPause; ; pause = Math.min(Math.max(2 * pause, 200), maxPause)) {
      await delay(pause, undefined, { signal: this.stopping.signal }).catch(() => {});
      if (this.stopping.signal.aborted) return;
      try {
        await this.start();
        return this.report("PostgreSQL serves again.");
      } catch (error) {
        this.report(error instanceof Error ? error.message : String(error));
      }
    }
  }
}

/** Creates the database beside its place and renames it once it is complete and on the disk. */
async function initialize(
  binaries: PostgresBinaries,
  dataDir: string,
  directory: string,
  durable: boolean,
): Promise<void> {
  const unfinished = `${basename(directory)}.unfinished-`;
  let partial: string;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(dataDir)) {
      if (name.startsWith(unfinished)) rmSync(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 });
    }
    partial = mkdtempSync(join(dataDir, unfinished));
    if (process.getuid?.() === 0) chownSync(partial, nobody, nobody);
  } catch (error) {
    throw new DatabaseUnavailable(
      `The database in ${dataDir} cannot be written. ${explainAndAdvise(error, "files")}`,
      error,
    );
  }
  const options = ["-U", "academy", "-A", "trust", "-E", "UTF8", "--locale=C", "--data-checksums"];
  options.push("--locale-provider=builtin", "--builtin-locale=C.UTF-8", ...(durable ? [] : ["--no-sync"]));
  const { child, log } = spawnIn(partial, binaries.initdb, options);
  const status = await exitOf(child);
  if (status !== 0) {
    rmSync(partial, { recursive: true, force: true, maxRetries: 5 });
    throw new DatabaseUnavailable(`The database in ${dataDir} could not be made: ${lastError(log())}`);
  }
  renameSync(partial, directory);
  if (!durable) return;
  const handle = openSync(dataDir, "r");
  fsyncSync(handle);
  closeSync(handle);
}

function refuseOtherVersion(binaries: PostgresBinaries, directory: string): void {
  const version = readFileSync(join(directory, "PG_VERSION"), "utf8").trim();
  if (version === binaries.majorVersion) return;
  throw new DatabaseUnavailable(
    `The database in ${directory} was made by PostgreSQL ${version}, and this academy comes with ` +
      `PostgreSQL ${binaries.majorVersion}: restore a backup into a new DATA_DIR, or set DATABASE_URL.`,
  );
}

const heldByAnother = /lock file .* already exists|shared memory block .* is still in use/;
const letGoWithin = 15_000;

async function launch(
  binaries: PostgresBinaries,
  directory: string,
  settings: Readonly<Record<string, string>>,
  report: (message: string) => void,
): Promise<ChildProcess> {
  const startedAt = performance.now();
  for (;;) {
    await endLeftovers(directory);
    clearDeadLocks(directory);
    try {
      return await launchOnce(binaries, directory, settings, report);
    } catch (error) {
      const isHeld = error instanceof DatabaseUnavailable && heldByAnother.test(error.message);
      if (!isHeld || performance.now() - startedAt > letGoWithin) throw error;
      await delay(200);
    }
  }
}

async function launchOnce(
  binaries: PostgresBinaries,
  directory: string,
  settings: Readonly<Record<string, string>>,
  report: (message: string) => void,
): Promise<ChildProcess> {
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const { child, log } = spawnIn(directory, binaries.postgres, options);
  let exited = false;
  const exit = exitOf(child).then(() => (exited = true));
  // Without a timeout: a recovery that is interrupted would start over each time.
  const slow = setTimeout(() => report("PostgreSQL is still starting: after a crash it first recovers."), slowAfter);
  try {
    while (!isReady(directory, child)) {
      if (exited) throw new DatabaseUnavailable(`PostgreSQL did not start: ${lastError(log())}`);
      await Promise.race([delay(5), exit]);
    }
  } finally {
    clearTimeout(slow);
  }
  return child;
}

/** PostgreSQL writes its readiness into the eighth line of its lock file. */
function isReady(directory: string, child: ChildProcess): boolean {
  try {
    const lines = readFileSync(join(directory, "postmaster.pid"), "utf8").split("\n");
    return Number(lines[0]) === child.pid && lines[7]?.trim() === "ready";
  } catch {
    return false; // The lock file is not written yet.
  }
}

/** A short symbolic link to the directory, where its path exceeds the 107 bytes of a socket address. */
export function socketDirectory(directory: string): { path: string; release(): void } {
  if (Buffer.byteLength(join(directory, ".s.PGSQL.5432")) <= 107) return { path: directory, release: () => {} };
  const handle = openSync(directory, "r");
  return { path: `/proc/${process.pid}/fd/${handle}`, release: () => closeSync(handle) };
}

function lastError(log: string): string {
  const lines = log.trim().split("\n");
  const telling = lines.findLast((line) => /FATAL|PANIC|error:|could not/.test(line)) ?? lines.at(-1);
  return telling?.replace(/^.*?(FATAL|PANIC|error): +/, "") || "it said nothing.";
}
