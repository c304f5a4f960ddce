import { spawn } from "node:child_process";
import { constants } from "node:os";
import { root } from "./root.mjs";

export const exitCodes = { failure: 1, usage: 2 };

/** Ends this run with one sentence instead of a stack. */
export class PlainFailure extends Error {
  constructor(message, exitCode = exitCodes.failure) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Runs "$0" as this very process, and ends it with its whole group when our end of its descriptor 3 closes: the kernel
 * closes it even when we are killed. The watcher holds nothing else of ours open.
 */
const whileWeLive = '( (read line <&3; kill -TERM -$$) </dev/null >/dev/null 2>&1 & ); exec "$0" "$@" 3<&-';

/** Milliseconds after which a second Ctrl-C means "now". npm and the terminal both send the first one. */
const secondSignalMs = 1500;

const children = new Set();
let firstSignalAt = 0;

/**
 * Runs a program at the repository's root and resolves to its exit code, as a shell counts it. It has a process group
 * of its own, so that a Ctrl-C reaches it once, through us.
 */
export function run(program, args, { env = process.env, input = "ignore", output = "inherit" } = {}) {
  const child = spawn("/bin/sh", ["-c", whileWeLive, program, ...args], {
    cwd: root,
    env,
    detached: true,
    stdio: [input, output, output, "pipe"],
  });
  children.add(child);
  const lifeline = child.stdio[3];
  lifeline.on("error", () => {}); // It went first; its exit says so.
  child.once("exit", () => lifeline.destroy());
  let text = "";
  child.stdout?.on("data", (chunk) => (text += chunk));
  child.stderr?.on("data", (chunk) => (text += chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      children.delete(child);
      const exitCode = signal ? 128 + constants.signals[signal] : code;
      if (output === "pipe") resolve({ exitCode, text });
      else resolve(exitCode);
    });
  });
}

/** Like `run`, quietly: resolves to `{ exitCode, text }`, the text being all that it printed. */
export function capture(program, args, options = {}) {
  return run(program, args, { ...options, output: "pipe" });
}

/** Runs several programs that live together: when the first ends, the others are told to. Resolves to its exit code. */
export async function runTogether(programs) {
  const runs = programs.map(([program, args, options]) => run(program, args, options));
  const exitCode = await Promise.race(runs);
  signalChildren("SIGTERM");
  await Promise.all(runs);
  return exitCode;
}

function signalChildren(signal) {
  for (const child of children) child.kill(signal);
}

function stop(signal) {
  const now = Date.now();
  if (children.size === 0) process.exit(128 + constants.signals[signal]);
  if (firstSignalAt === 0) {
    firstSignalAt = now;
    signalChildren(signal);
  } else if (now - firstSignalAt > secondSignalMs) {
    signalChildren("SIGKILL");
  }
}

process.on("SIGINT", () => stop("SIGINT"));
process.on("SIGTERM", () => stop("SIGTERM"));
process.on("SIGHUP", () => stop("SIGTERM"));

// npm passes signals on, unless it is killed: then this academy would keep its port and its data for ever.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop("SIGTERM");
  }, 200).unref();
}
