import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that systems lend to outgoing connections: an academy that restarts finds its own still free. */
const [lowest, highest] = [12_000, 32_000];
/** Each worker of a test run has ports of its own; more workers than this share some. */
const workers = 16;
const worker = Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? 0) % workers;
const each = (highest - lowest) / workers;
let next = randomInt(each);

/** A TCP port of this machine that nobody listens on now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + next * workers + worker;
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
