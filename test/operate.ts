import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { programEnv } from "./program-env.ts";

/** Runs an operator's command where nobody can be asked. */
export async function operate(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ["scripts/operate.ts", ...args], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: { ...programEnv, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [said, failed, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: code as number, said: said.trim(), failed: failed.trim() };
}
