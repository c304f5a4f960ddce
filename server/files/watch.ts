import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { SECOND } from "#server/base/clock.ts";
import type { StoreHealth } from "#server/http/health.ts";
import type { Store } from "#server/storage/owner.ts";
import { inspectStore, type StoreState } from "./store-state.ts";

const checkEvery = 5 * SECOND;

/**
 * Reports the store's health. An empty store is a fault only where `mark` says that this node has had files: its
 * volume is missing.
 * @returns a function that ends the watch
 */
export async function watchStore(
  store: Store,
  { mark, isExpected }: { readonly mark: string; readonly isExpected: boolean },
  report: (health: StoreHealth) => void,
): Promise<() => void> {
  let isChecking = false;

  async function check(): Promise<void> {
    if (isChecking) return report("unreachable"); // The check before has not finished.
    isChecking = true;
    try {
      const state = await inspectStore(store);
      const isHere = isOwn(state);
      if (isHere && !existsSync(mark)) await writeFile(mark, "");
      report(isHere ? "present" : isExpected || existsSync(mark) ? "missing" : "elsewhere");
    } catch {
      report("unreachable"); // The database's probe reports an outage of the database.
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
