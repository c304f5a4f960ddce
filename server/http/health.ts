import type { FastifyInstance } from "fastify";
import { nothingIsCharged } from "#server/db/clock-skew.ts";
import type { Probe } from "#server/db/probe.ts";
import type { LoadShedder } from "./load-shedding/load-shedder.ts";
import { noteTurnedAway } from "./problems.ts";

/** `elsewhere`: this node's disk has never had the files. */
export type StoreHealth = "present" | "missing" | "elsewhere" | "unreachable";

/** What a healthy node may answer as well. */
const isMeant = new Set(["starting", "draining", "busy"]);

export interface Life {
  stage: "starting" | "serving" | "draining";
  files: StoreHealth;
}

/** `/readyz` also tells the state of the file store; only a missing one makes the node not ready. */
export function healthRoutes(scope: FastifyInstance, life: Life, database: Probe, loadShedder: LoadShedder): void {
  scope.get("/healthz", { schema: { hide: true } }, async (_request, reply) => {
    return reply.header("cache-control", "no-store").send({ status: "alive" });
  });
  scope.get("/readyz", { schema: { hide: true } }, async (request, reply) => {
    const status = await readiness();
    if (isMeant.has(status)) noteTurnedAway(request);
    return reply
      .code(status === "ready" ? 200 : 503)
      .header("cache-control", "no-store")
      .send({ status, files: life.files });
  });

  async function readiness(): Promise<string> {
    if (life.stage !== "serving") return life.stage;
    if (loadShedder.isShedding()) return "busy";
    if (!(await database.answers())) return "no database";
    const skew = database.clockSkew();
    if (skew !== null) return nothingIsCharged(skew);
    return life.files === "missing" ? "no files" : "ready";
  }
}
