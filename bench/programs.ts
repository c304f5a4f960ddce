import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A program of ours under measurement. */
export interface Running {
  readonly child: ChildProcess;
  /** Milliseconds from its start to the line that says that it is ready. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

/**
 * Starts a program with Node and waits for its ready line, which contains "ready:". What it sends comes out of `child`.
 * @throws Error with what it said when it ends before.
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
      // From here on its log is read away unseen: reading lines would cost the processors that are measured.
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
