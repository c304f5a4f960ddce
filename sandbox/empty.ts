import { existsSync, rmSync } from "node:fs";
import { openStore } from "./store.ts";

/**
 * Removes what a sandbox remembers: its next start begins with an empty ledger, an empty mailbox and the true time.
 * @throws Error when another process uses the folder, with a sentence that says so.
 */
export function emptySandbox(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  openStore(dataDir).close();
  rmSync(dataDir, { recursive: true, force: true });
}
