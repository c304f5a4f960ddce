import type { Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { SECOND } from "#server/base/clock.ts";
import type { Life } from "./health.ts";

/** Proxies and browsers then send what comes next on another connection, of another node. */
export function endConnectionsWhileDraining(app: FastifyInstance, life: Life): void {
  app.addHook("onRequest", (_request, reply, done) => {
    if (life.stage === "draining") reply.header("connection", "close");
    done();
  });
}

/** For kept connections to be used once more, and for proxies that ask for readiness to hear of it. */
const servesOnFor = 5 * SECOND;

/** Serves on for a while, then takes no more connections and answers what is under way. */
export async function drain(server: Server): Promise<void> {
  await delay(servesOnFor);
  await quietTurn(server);
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

/** Connections that wait to be accepted would be reset, while those that come later are refused. Each turn accepts one. */
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
