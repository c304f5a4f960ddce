import type { Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { SECOND } from "#server/base/clock.ts";
import type { Life } from "./health.ts";

/**
 * While draining every answer closes its connection, so that proxies and browsers send the next request to another
 * node.
 */
export function endConnectionsWhileDraining(app: FastifyInstance, life: Life): void {
  app.addHook("onRequest", (_request, reply, done) => {
    if (life.stage === "draining") reply.header("connection", "close");
    done();
  });
}

/** Time for kept connections to be used once more, and for proxies to see that the node is not ready. */
const servesOnFor = 5 * SECOND;

/** A stop takes ten seconds at most, and slow clients could hold it for minutes. */
const closesAllAfter = 8 * SECOND;

/**
 * Accepts no more connections, finishes requests in flight, and closes the server. Behind a proxy it serves for a while
 * longer first.
 */
export async function stopServing(app: FastifyInstance, { isBehindProxy }: { isBehindProxy: boolean }): Promise<void> {
  const overdue = setTimeout(() => app.server.closeAllConnections(), closesAllAfter);
  if (isBehindProxy) {
    await delay(servesOnFor);
    await quietTurn(app.server);
  }
  await app.close();
  clearTimeout(overdue);
}

/** Accepts the connections of the listen queue, which closing would reset: each turn of the event loop accepts one. */
async function quietTurn(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on("connection", count);
  for (let turns = 0; turns < 1000; turns++) {
    const [began, before] = [performance.now(), accepted];
    await new Promise((resolve) => setImmediate(resolve));
    if (accepted === before && performance.now() - began < 0.5) break;
  }
  server.off("connection", count);
}
