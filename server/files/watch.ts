import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { SECOND } from "#server/base/clock.ts";
import type { StoreHealth } from "#server/http/health.ts";
import type { Store } from "#server/storage/owner.ts";
import { inspectStore, type StoreState } from "./store-state.ts";

const checkEvery = 5 * SECOND;

/** A node that never held files is no fault. One that did, by `mark`, has lost its volume. @returns what ends it. */
export async function watchStore(
  store: Store,
  { mark, isExpected }: { readonly mark: string; readonly isExpected: boolean },
  report: (health: StoreHealth) => void,
): Promise<() => void> {
  let isChecking = false;

  async function check(): Promise<void> {
    if (isChecking) return report("unreachable"); // It has not answered since the last time.
    isChecking = true;
    try {
      const state = await inspectStore(store);
      const isHere = isOwn(state);
      if (isHere && !existsSync(mark)) await writeFile(mark, "");
      report(isHere ? "present" : isExpected || existsSync(mark) ? "missing" : "elsewhere");
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
