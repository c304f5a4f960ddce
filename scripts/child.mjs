import { spawn } from "node:child_process";
import { constants } from "node:os";
import { root } from "./root.mjs";

export const exitCodes = { failure: 1, usage: 2 };

/** Exits with a message instead of a stack trace. */
export class PlainFailure extends Error {
  constructor(message, exitCode = exitCodes.failure) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Replaces itself by "$0", and kills the process group when our end of descriptor 3 closes, which the kernel does
 * even when we are killed. The watcher inherits no other descriptor of ours.
 */
const whileWeLive = '( (read line <&3; kill -TERM -$$) </dev/null >/dev/null 2>&1 & ); exec "$0" "$@" 3<&-';

/**
 * A second Ctrl-C after these milliseconds kills at once. Earlier it is the same one, which npm and the terminal both
 * send.
 */
const secondSignalMs = 1500;

const children = new Set();
let firstSignalAt = 0;

/**
 * Runs a program at the repository's root and resolves to its exit code, like a shell's. It gets its own process
 * group, so that a Ctrl-C reaches it only once, through us.
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

/** Like `run`, without output: resolves to `{ exitCode, text }`, where text is all output. */
export function capture(program, args, options = {}) {
  return run(program, args, { ...options, output: "pipe" });
}

/**
 * Runs several programs at the same time. When one ends, stops the others, and resolves to the first one's exit code.
 */
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

// npm forwards signals, except when it is killed: then this academy would run on and keep its port and data.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop("SIGTERM");
  }, 200).unref();
}
