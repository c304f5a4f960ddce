import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { maxParallelFiles } from "./parallel.ts";

/** Below the ephemeral ports, so that a restarting academy finds its port still free. */
const [lowest, highest] = [12_000, 32_000];
/** Each worker of a test run has its own ports. */
const worker = Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? 0) % maxParallelFiles;
const each = (highest - lowest) / maxParallelFiles;
let next = randomInt(each);

/** A free TCP port of this machine. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + next * maxParallelFiles + worker;
    next = (next + 1) % each;
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}
