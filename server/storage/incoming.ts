import { mkdir, rm } from "node:fs/promises";

/**
 * Makes the directory empty: what is in it at start was left by a process that died. For a store that is known to be this
 * academy's own; another one's uploads may be under way in it.
 */
export async function clearIncoming(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
}
