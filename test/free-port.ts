import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { maxParallelFiles } from "./parallel.ts";

/** Below the ports that systems lend to outgoing connections: an academy that restarts finds its own still free. */
const [lowest, highest] = [12_000, 32_000];
/** Each worker of a test run has ports of its own. */
const worker = Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? 0) % maxParallelFiles;
const each = (highest - lowest) / maxParallelFiles;
let next = randomInt(each);

/** A TCP port of this machine that nobody listens on now. */
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
