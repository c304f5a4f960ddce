import { open } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

const block = Buffer.alloc(8192);
const everyMs = 100;

/**
 * Writes a block to `file` and waits for fsync, ten times a second until stopped: the minimum wait of a simultaneous
 * commit. The returned function stops it and resolves to the longest wait in milliseconds.
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
