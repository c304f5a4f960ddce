import { execFile, spawn } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { OutputInfo } from "sharp";
import { SECOND } from "#server/base/clock.ts";
import { compileCacheEnv } from "#server/base/compile-cache.ts";

/** What a file is by its content. */
export type Format = "jpeg" | "png" | "webp" | "gif" | "avif" | "heic" | "tiff" | "bmp" | "svg";

/** Raw pixels, of four bytes each where some are transparent. */
export interface Pixels {
  readonly data: Buffer;
  readonly info: Pick<OutputInfo, "width" | "height"> & { readonly channels: 1 | 2 | 3 | 4 };
}

/** Why a file became no pixels; the format where it was recognized. */
export interface Fault {
  readonly fault: "unreadable" | "damaged" | "another format" | "pixels" | "memory" | "time";
  readonly format?: Format;
}

/** The first line of the decoder's reply. The pixels follow it. */
export type Head = Fault | Pixels["info"];

export interface Task {
  readonly path: string;
  /** Pixels of the longest side: a larger picture is scaled down to it, and a drawing is drawn in this size. */
  readonly longestSide: number;
  /** The accepted formats; all of them by default. */
  readonly formats?: readonly Format[];
}

export interface Limits {
  readonly cpuSeconds: number;
  /** Memory beyond what an idle decoder has. */
  readonly megabytes: number;
}

const usualLimits: Limits = { cpuSeconds: 10, megabytes: 450 };
/** For a decoder that waits instead of computing. */
const killedAfter = 60 * SECOND;

const program = fileURLToPath(new URL("./decoder.ts", import.meta.url));
const nodeOptions = ["--max-old-space-size=64", "--max-semi-space-size=2"];

/**
 * Sets limits that the kernel keeps, writes no core files, and lets the kernel end the decoder before any other process
 * when the machine's memory is full.
 */
const withLimits =
  'ulimit -c 0 && ulimit -St "$1" && { [ -z "$2" ] || ulimit -d "$2"; } || exit; ' +
  'echo 1000 2>/dev/null >/proc/self/oom_score_adj; shift 2; exec "$@"';

/** Decodes a file in a process of its own, which is given none of the academy's secrets. */
export async function runDecoder(task: Task, { cpuSeconds, megabytes } = usualLimits): Promise<Pixels | Fault> {
  const idle = await idleKilobytes();
  const limits = [String(cpuSeconds), idle === null ? "" : String(idle + megabytes * 1000)];
  const decoder = [process.execPath, ...nodeOptions, program, JSON.stringify({ ...task, path: resolve(task.path) })];
  const child = spawn("/bin/sh", ["-c", withLimits, "sh", ...limits, ...decoder], {
    env: environment(),
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const { promise, resolve: ended, reject } = Promise.withResolvers<Pixels | Fault>();
  // First: without a free file descriptor the child has no streams, and says why later.
  child.once("error", reject);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, killedAfter);
  let complaints = "";
  child.stderr?.on("data", (chunk) => {
    complaints = (complaints + chunk).slice(-2000);
  });
  const reply: Buffer[] = [];
  let size = 0;
  child.stdio?.[3]?.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxReply(task)) child.kill("SIGKILL");
    else reply.push(chunk);
  });
  child.once("close", (code, signal) => {
    if (code === 0) return ended(readReply(Buffer.concat(reply), task));
    if (isLate || signal === "SIGXCPU") return ended({ fault: "time" });
    const fault = signal && faults[signal];
    if (fault) return ended({ fault });
    reject(new Error(`The decoder of pictures ended with ${signal ?? code}: ${complaints}`));
  });
  return promise.finally(() => clearTimeout(timer));
}

/** Libraries abort when they get no memory, and the kernel kills where the machine has none left. */
const faults: Partial<Record<NodeJS.Signals, Fault["fault"]>> = {
  SIGABRT: "memory",
  SIGTRAP: "memory",
  SIGKILL: "memory",
  SIGSEGV: "unreadable",
  SIGBUS: "unreadable",
  SIGILL: "unreadable",
};

const maxHead = 1000;
const maxReply = ({ longestSide }: Task) => 4 * longestSide ** 2 + maxHead;

/** Trusts the decoder with nothing but pixels. */
function readReply(reply: Buffer, { longestSide }: Task): Pixels | Fault {
  const end = reply.indexOf("\n");
  const head = JSON.parse(reply.toString("utf8", 0, end)) as Head;
  if ("fault" in head) return head;
  const { width, height, channels } = head;
  const data = reply.subarray(end + 1);
  const isSize = (length: number) => Number.isInteger(length) && length >= 1 && length <= longestSide;
  if (!isSize(width) || !isSize(height) || data.length !== width * height * channels) {
    throw new Error("The decoder of pictures replied with something else than pixels.");
  }
  return { data, info: { width, height, channels } };
}

function environment(): NodeJS.ProcessEnv {
  return { MALLOC_ARENA_MAX: "2", UV_THREADPOOL_SIZE: "1", ...compileCacheEnv() };
}

let measuring: Promise<number | null> | undefined;

/**
 * The kernel's limit also counts what V8 reserves for code, half a gigabyte on some processors. So it is measured, once.
 * @returns null where the kernel does not say.
 */
async function idleKilobytes(): Promise<number | null> {
  if (process.platform !== "linux") return null;
  const print = "require('fs').readFileSync('/proc/self/status', 'latin1')";
  measuring ??= promisify(execFile)(process.execPath, [...nodeOptions, "-p", print], { env: environment() })
    .then(({ stdout }) => Number(/VmData:\s+(\d+)/.exec(stdout)?.[1]) || null)
    .catch((error) => {
      // Without a measurement, pictures would be decoded without a limit.
      measuring = undefined;
      throw error;
    });
  return measuring;
}
