import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../free-port.ts";
import { findSeeded } from "../seeded.ts";
import { openProgram, type Program } from "./program.ts";
import { runSandbox } from "./sandbox-in-process.ts";

const seededSandboxes = new Set<string>();

/** Whether this sandbox has the seeded academy's ledger. */
export const isSeededSandbox = (url: string) => seededSandboxes.has(url);

/**
 * A sandbox that is separate from the academies, so that the gateway's ledger survives their kills. It has the seeded
 * academy's ledger.
 */
export async function openSandboxProcess(): Promise<{ url: string } & AsyncDisposable> {
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

/** The same as a process of its own. */
export async function spawnSandbox(): Promise<{ readonly url: string } & Program> {
  const folder = await mkdtemp(join(tmpdir(), "academy-sandbox-"));
  const port = await freePort();
  const env = { PORT: String(port), DATA_DIR: folder };
  const program = await openProgram({ args: ["sandbox/main.ts"], port, env, folder });
  return Object.assign(program, { url: `http://localhost:${port}` });
}
