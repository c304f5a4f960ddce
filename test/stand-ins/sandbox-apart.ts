import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { freePort } from "../free-port.ts";

/**
 * The sandbox run apart, so that the gateway and its ledger outlive the academies that die.
 * @param seenAs its address for whoever reaches it by way of something else; on its own port when absent.
 */
export async function openSandboxApart({
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
      PATH: process.env.PATH,
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
