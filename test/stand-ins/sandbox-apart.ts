import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { freePort } from "../free-port.ts";
import { findSeeded } from "../seeded.ts";
import { runSandbox } from "./sandbox-in-process.ts";

const seededSandboxes = new Set<string>();

/** Whether the sandbox at this origin has the ledger of the seeded academy. */
export const isSeededSandbox = (url: string) => seededSandboxes.has(url);

import { programEnv } from "../program-env.ts";

/**
 * The sandbox run apart from the academies, so that the gateway and its ledger outlive those that die. It is the one
 * that a seeded academy left.
 */
export async function openSandboxApart(): Promise<{ url: string } & AsyncDisposable> {
  const dataDir = await mkdtemp(join(tmpdir(), "academy-sandbox-"));
  const seeded = findSeeded();
  if (seeded) await cp(join(seeded.dataDir, "sandbox"), dataDir, { recursive: true });
  const { url, close } = await runSandbox({ dataDir });
  if (seeded) seededSandboxes.add(url);
  return {
    url,
    async [Symbol.asyncDispose]() {
      seededSandboxes.delete(url);
      await close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * The same as its operator starts it: a process of its own.
 * @param seenAs its address for anybody who reaches it by way of something else.
 */
export async function spawnSandbox({
  port,
  seenAs,
}: {
  port?: number;
  seenAs?: string;
} = {}): Promise<{ url: string } & AsyncDisposable> {
  const dataDir = await mkdtemp(join(tmpdir(), "academy-sandbox-"));
  port ??= await freePort();
  const child = spawn(process.execPath, ["sandbox/main.ts"], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...programEnv,
      PORT: String(port),
      DATA_DIR: dataDir,
      ...(seenAs && { DEMO_IS_PUBLIC: "yes", PUBLIC_URL: seenAs }),
    },
  });
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on("line", (line) => line.startsWith("Sandbox is ready:") && resolve());
    child.once("exit", (code) => reject(new Error(`the sandbox ended with ${code}`)));
  });
  return {
    url: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
