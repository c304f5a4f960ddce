import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SECOND } from "#server/clock.ts";
import type { Context } from "#server/context.ts";
import type { StoreHealth } from "#server/http/health.ts";
import { inspectStore, type StoreState } from "./store-state.ts";

const checkEvery = 5 * SECOND;

/**
 * Tells `report` every few seconds what this node sees of the store, and once before it resolves, until the returned
 * function is called. A node with a disk of its own that never held files is another machine's neighbour and no fault;
 * one that held them and holds none now has lost its volume.
 */
export async function watchStore(ctx: Context, report: (health: StoreHealth) => void): Promise<() => void> {
  const { config } = ctx;
  const seen = join(config.dataDir, "files-were-here");
  let isChecking = false;

  async function check(): Promise<void> {
    if (isChecking) return report("unreachable"); // It has not answered since the last time.
    isChecking = true;
    try {
      const state = await inspectStore(ctx);
      const isHere = isOwn(state);
      if (isHere && !existsSync(seen)) await writeFile(seen, "");
      const isExpected = config.storage !== "disk" || config.databaseUrl === null || existsSync(seen);
      report(isHere ? "present" : isExpected ? "missing" : "elsewhere");
    } catch {
      report("unreachable"); // The database's absence is told by the probe itself.
    } finally {
      isChecking = false;
    }
  }

  const first = check();
  const timer = setInterval(check, checkEvery);
  await Promise.race([first, new Promise((resolve) => setTimeout(resolve, checkEvery).unref())]);
  return () => clearInterval(timer);
}

function isOwn(state: StoreState): boolean {
  return state === "ours" || state === "copied";
}
