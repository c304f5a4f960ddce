import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A measured program. */
export interface Running {
  readonly child: ChildProcess;
  /** Milliseconds from its start to its ready line. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

/**
 * Starts a program with Node and waits for its ready line, which contains "ready:". `child` emits its messages.
 * @throws Error with its output when it ends earlier.
 */
export async function startProgram(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Running> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  const said: string[] = [];
  const readyMs = await new Promise<number>((resolve, reject) => {
    const lines = createInterface({ input: child.stdout }).on("line", (line) => {
      said.push(line);
      if (!line.includes("ready:")) return;
      resolve(performance.now() - startedAt);
      // Discards its further log, because reading lines would use the measured CPUs.
      lines.close();
      child.stdout.resume();
    });
    child.stderr.on("data", (chunk) => said.push(String(chunk)));
    child.once("exit", () => reject(new Error(`${args.join(" ")} ended early:\n${said.slice(-20).join("\n")}`)));
  });
  return {
    child,
    readyMs,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, "exit");
      child.kill("SIGTERM");
      await exit;
    },
  };
}
