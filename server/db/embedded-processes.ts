import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DatabaseUnavailable } from "#server/db/unavailable.ts";

/** Our end of its input closes even when we are killed. A grandchild watches: PostgreSQL must know its children. */
const untilStdinCloses = 'exec 3<&0 </dev/null; ( (read line <&3; kill -INT $$) & ); exec "$0" "$@" 3<&-';

/** PostgreSQL's account may not reach `directory` by its path, as below root's home; a session of its own spares it Ctrl-C. */
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
  child.stdin.on("error", () => {}); // It went first; its exit says so.
  return { child, log: () => tail };
}

export function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(new DatabaseUnavailable(`PostgreSQL cannot run: ${error.message}.`, error)));
    child.once("exit", (code) => {
      child.stdin?.destroy(); // Lets the watcher go.
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

/** Waits for processes of an earlier run to let go of the directory, and ends those that stay. Commits survive both. */
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

/** PostgreSQL takes a zombie, or a reused process number, for the server. Only for callers that hold the directory. */
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
    return null; // It was stopped in order.
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

/** Servers and their backends have their data directory as working directory; a process number alone says nothing. */
function processesIn(directory: string): number[] {
  return readdirSync("/proc").flatMap((entry) => {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) return [];
    try {
      if (readlinkSync(`/proc/${pid}/cwd`) !== directory) return [];
      return basename(readlinkSync(`/proc/${pid}/exe`)).startsWith("postgres") ? [pid] : [];
    } catch {
      return []; // Gone meanwhile, or not ours to see.
    }
  });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone meanwhile.
  }
}
