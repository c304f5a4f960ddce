import { mkdir, rm } from "node:fs/promises";

/**
 * Removes what a killed process left in `incoming`. Call it only for the academy's own store, since uploads of
 * another may be under way.
 */
export async function clearIncoming(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
}
