import { mkdir, rm } from "node:fs/promises";

/** A process that died left it. Only for the academy's own store: another's uploads may be under way. */
export async function clearIncoming(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
}
