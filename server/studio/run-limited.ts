import { spawn } from "node:child_process";
import { MINUTE, SECOND } from "#server/base/clock.ts";

export interface LimitedRun {
  readonly program: string;
  readonly args: readonly string[];
  /** A directory of its own. */
  readonly directory: string;
  /** Of addresses, for programs that reserve no more than they use. */
  readonly megabytes?: number;
  /** The largest file that it may write. */
  readonly maxBytes: number;
  /** Milliseconds until it is killed. */
  readonly limit: number;
  /** Milliseconds without progress until it is killed. */
  readonly standstill?: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with the seconds of film that are done. */
  readonly onProgress?: (seconds: number) => void;
}

export type Ending =
  /** Somebody ended it: we, or the service manager. */
  "exited" | "stopped" | "stood still" | "too slow" | "too large" | "out of memory";

export interface Ended {
  readonly ending: Ending;
  readonly code: number;
  /** The last lines of what it printed. */
  readonly log: readonly string[];
}

const maxLines = 400;
const maxLineLength = 300;
/** Extra time of a request that could not be served is better than a film that is ready sooner. */
const niceness = 10;

/**
 * Sets limits that the kernel keeps, and lets the kernel end the program before any other process when the machine's memory
 * is full. Descriptor 3 ends with the academy, however that dies, and the program is killed with it: nobody else would.
 */
const script = `
ulimit -c 0
ulimit -f "$1" || exit 126
[ -z "$2" ] || ulimit -v "$2" || exit 126
echo 1000 2>/dev/null >/proc/self/oom_score_adj
shift 2
nice -n ${niceness} "$@" </dev/null 3<&- &
program=$!
{ read -r _ <&3; kill -9 $program; } >/dev/null 2>&1 &
watch=$!
wait $program
code=$?
kill -9 $watch
exit $code`;

/**
 * Runs a program that reads what somebody uploaded: without the academy's environment, gently, and within limits.
 * Resolves however it ends. @throws Error when it cannot start
 */
export async function runLimited(run: LimitedRun): Promise<Ended> {
  const { program, args, directory, megabytes, maxBytes, limit, standstill = MINUTE, signal, onProgress } = run;
  if (signal?.aborted) return { ending: "stopped", code: 0, log: [] };
  const limits = [
    String(Math.ceil(maxBytes / 512)),
    megabytes && process.platform === "linux" ? String(megabytes * 1000) : "",
  ];
  const child = spawn("/bin/sh", ["-c", script, "sh", ...limits, program, ...args], {
    cwd: directory,
    env: {},
    // A group of its own, which can be killed as a whole.
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  let killedFor: Ending | undefined;
  const kill = (ending: Ending) => {
    killedFor ??= ending;
    if (child.pid) killGroup(child.pid);
  };
  const overdue = setTimeout(() => kill("too slow"), limit);
  let moved = performance.now();
  const watch = setInterval(() => performance.now() - moved > standstill && kill("stood still"), SECOND / 4);
  const stop = () => kill("stopped");
  signal?.addEventListener("abort", stop);

  const log = lastLines();
  child.stderr?.on("data", log.add);
  const onMove = (seconds: number | null) => {
    moved = performance.now();
    if (seconds !== null) onProgress?.(seconds);
  };
  child.stdout?.on("data", progressOf(onMove));
  child.stdio[3]?.on("error", () => {});
  child.once("error", reject);
  child.once("close", (code, killedBy) => {
    const lines = log.lines();
    resolve({ ending: killedFor ?? endingOf(code, killedBy, lines), code: code ?? -1, log: lines });
  });
  return promise.finally(() => {
    clearTimeout(overdue);
    clearInterval(watch);
    signal?.removeEventListener("abort", stop);
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

/** The shell adds 128 to the number of the signal that ended the program. */
const outOfMemory: ReadonlySet<number | null> = new Set([128 + 9, 128 + 6]);
const fileTooLarge = 128 + 25;

function endingOf(code: number | null, killedBy: string | null, log: readonly string[]): Ending {
  // A service manager signals the whole group of processes, and the program may end before the academy has heard of it.
  if (killedBy === "SIGTERM" || code === 128 + 15 || log.some((line) => /received signal (2|15)\b/.test(line)))
    return "stopped";
  if (code === fileTooLarge || log.some((line) => line.includes("File too large"))) return "too large";
  if (outOfMemory.has(code) || log.some((line) => /Cannot allocate memory/.test(line))) return "out of memory";
  return "exited";
}

function lastLines() {
  let lines: string[] = [];
  let rest = "";
  return {
    add(chunk: Buffer) {
      const parts = (rest + chunk.toString("utf8")).split(/[\r\n]+/);
      rest = (parts.pop() ?? "").slice(0, maxLineLength);
      lines = [...lines, ...parts.map((line) => line.slice(0, maxLineLength))].slice(-maxLines);
    },
    lines: () => [...lines, rest].filter((line) => line.trim() !== "").slice(-maxLines),
  };
}

/** Reads what `-progress` prints, lines of `name=value`. Calls back when a frame or the time has advanced. */
function progressOf(onMove: (seconds: number | null) => void) {
  const last: Record<string, string> = {};
  let rest = "";
  return (chunk: Buffer) => {
    const parts = (rest + chunk.toString("latin1")).split("\n");
    rest = (parts.pop() ?? "").slice(0, maxLineLength);
    for (const line of parts) {
      const [, name, value] = /^(frame|out_time_us)=\s*(\d+)/.exec(line) ?? [];
      if (!name || !value || last[name] === value) continue;
      last[name] = value;
      onMove(name === "out_time_us" ? Number(value) / 1e6 : null);
    }
  };
}
