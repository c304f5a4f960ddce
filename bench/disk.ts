import { open } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

const block = Buffer.alloc(8192);
const everyMs = 100;

/**
 * Writes a block to `file` and waits until it is on the disk, ten times a second until stopped: what a commit that comes at
 * the same time waits for at least. The stop returns the longest of these waits, in milliseconds.
 */
export function watchDisk(file: string): () => Promise<number> {
  let isStopped = false;
  const watching = (async () => {
    await using handle = await open(file, "w");
    let worstMs = 0;
    while (!isStopped) {
      const startedAt = performance.now();
      await handle.write(block, 0, block.length, 0);
      await handle.datasync();
      worstMs = Math.max(worstMs, performance.now() - startedAt);
      await delay(everyMs);
    }
    return worstMs;
  })();
  return () => {
    isStopped = true;
    return watching;
  };
}
