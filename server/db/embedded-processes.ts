import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DatabaseUnavailable } from "#server/db/unavailable.ts";

/**
 * The kernel closes our end of its stdin even when we are killed. A grandchild watches it, as PostgreSQL must know
 * its own children.
 */
const untilStdinCloses = 'exec 3<&0 </dev/null; ( (read line <&3; kill -INT $$) & ); exec "$0" "$@" 3<&-';

/**
 * Changes into `directory` first, as PostgreSQL's account may not reach its path, and starts a session, so that
 * Ctrl-C does not reach it.
 */
export function spawnIn(directory: string, program: string, options: readonly string[]) {
  const owner = statSync(directory);
  const child = spawn("/bin/sh", ["-c", untilStdinCloses, program, "-D", "/proc/self/cwd", ...options], {
    cwd: directory,
    detached: true,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C", TZ: "UTC" },
    stdio: ["pipe", "ignore", "pipe"],
    ...(process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {}),
  });
  let tail = "";
  child.stderr.on("data", (chunk) => {
    tail = (tail + chunk).slice(-4000);
  });
  child.stdin.on("error", () => {}); // The child ended first; "exit" follows.
  return { child, log: () => tail };
}

export function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(new DatabaseUnavailable(`PostgreSQL cannot run: ${error.message}.`, error)));
    child.once("exit", (code) => {
      child.stdin?.destroy(); // Ends the watcher.
      resolve(code);
    });
  });
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.stdin?.end();
  await exit;
}

/**
 * Waits for processes of an earlier run to leave the directory, and kills those that stay. Committed rows survive
 * either.
 */
export async function endLeftovers(directory: string): Promise<void> {
  const path = realpathSync(directory);
  const startedAt = performance.now();
  let told = false;
  for (let left = processesIn(path); left.length > 0; left = processesIn(path)) {
    const waited = performance.now() - startedAt;
    if (waited > 15_000) {
      throw new DatabaseUnavailable(`A PostgreSQL of an earlier run (process ${left[0]}) does not end.`);
    }
    if (waited > 1000 && !told) {
      told = true;
      for (const pid of left) signal(pid, "SIGQUIT");
    }
    await delay(20);
  }
}

/**
 * Removes lock files of dead servers: PostgreSQL mistakes a zombie or a reused process id for a running one. The
 * caller must hold the directory's lock.
 */
export function clearDeadLocks(directory: string): void {
  for (const name of ["postmaster.pid", ".s.PGSQL.5432.lock"]) {
    const file = join(directory, name);
    const pid = Number(readLock(file)?.split("\n", 1)[0]);
    if (Number.isInteger(pid) && pid > 0 && !isServerOf(pid, realpathSync(directory))) rmSync(file, { force: true });
  }
}

function readLock(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null; // A clean stop leaves no lock file.
  }
}

function isServerOf(pid: number, directory: string): boolean {
  try {
    const state = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "")[0];
    return state !== "Z" && state !== "X" && readlinkSync(`/proc/${pid}/cwd`) === directory;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES";
  }
}

/** Finds servers and backends by their working directory: process ids are reused. */
function processesIn(directory: string): number[] {
  return readdirSync("/proc").flatMap((entry) => {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) return [];
    try {
      if (readlinkSync(`/proc/${pid}/cwd`) !== directory) return [];
      return basename(readlinkSync(`/proc/${pid}/exe`)).startsWith("postgres") ? [pid] : [];
    } catch {
      return []; // The process has ended, or belongs to another account.
    }
  });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}
