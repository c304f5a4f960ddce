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

/** Serves for a while longer, then accepts no more connections and finishes requests in flight. */
export async function drain(server: Server): Promise<void> {
  await delay(servesOnFor);
  await quietTurn(server);
  await new Promise<void>((resolve) => server.close(() => resolve()));
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
