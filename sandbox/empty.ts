import { existsSync, rmSync } from "node:fs";
import { lockStore } from "./store.ts";

/**
 * Deletes a sandbox's data: its next start has an empty ledger, an empty mailbox and the real time.
 * @throws Error with a sentence when another process uses the folder
 */
export function emptySandbox(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  lockStore(dataDir).close();
  rmSync(dataDir, { recursive: true, force: true });
}
