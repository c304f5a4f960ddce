import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { programEnv } from "../program-env.ts";
import { until } from "../until.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Our end of its stdin closes even when we are killed, which then kills its process group. */
const untilStdinCloses = 'exec 3<&0 </dev/null; ( (read line <&3; kill -KILL -$$) & ); exec "$0" "$@" 3<&-';

/** An outside service as its own process, which tests kill and restart. */
export interface Program extends AsyncDisposable {
  readonly pid: number;
  start(): Promise<void>;
  /** Kills it with its child processes, like a power cut. */
  kill(): Promise<void>;
}

/** Starts a program, by default Node, and waits until it listens on its port. Its folder is deleted with it. */
export async function openProgram({
  command = process.execPath,
  args,
  port,
  env,
  folder,
}: {
  command?: string;
  args: readonly string[];
  port: number;
  env?: Readonly<Record<string, string>>;
  folder?: string;
}): Promise<Program> {
  let child: ChildProcess | undefined;
  const program: Program = {
    get pid() {
      return child?.pid ?? 0;
    },
    async start() {
      // A process group of its own, so that its child processes are killed with it.
      const started = spawn("/bin/sh", ["-c", untilStdinCloses, command, ...args], {
        cwd: root,
        stdio: ["pipe", "ignore", "inherit"],
        env: { ...programEnv, ...env },
        detached: true,
      });
      child = started;
      await until(async () => {
        const { exitCode, signalCode } = started;
        if (exitCode !== null || signalCode) throw new Error(`${args.join(" ")} ended: ${signalCode ?? exitCode}`);
        return isListening(port);
      });
    },
    async kill() {
      const ending = child;
      if (!ending?.pid || ending.exitCode !== null || ending.signalCode !== null) return;
      const exit = once(ending, "exit");
      process.kill(-ending.pid, "SIGKILL");
      await exit;
    },
    async [Symbol.asyncDispose]() {
      await program.kill();
      if (folder) await rm(folder, { recursive: true, force: true });
    },
  };
  await program.start();
  return program;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
