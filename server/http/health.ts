import type { FastifyInstance } from "fastify";
import { skewWords } from "#server/db/clock-skew.ts";
import type { Probe } from "#server/db/probe.ts";
import type { Admission } from "./admission/requests.ts";

/** What this node sees of the file store; `elsewhere`: its own disk never held the files. */
export type StoreHealth = "present" | "missing" | "elsewhere" | "unreachable";

/** Where the process is in its life; the probes and nothing else read it. */
export interface Life {
  stage: "starting" | "serving" | "draining";
  files: StoreHealth;
}

/**
 * `/healthz`: the process lives. `/readyz`: it serves, turns nobody away, the database answers, its clock and ours agree, and the files are where
 * they were; a store that does not answer for a while is named, and everything else goes on.
 */
export function healthRoutes(scope: FastifyInstance, life: Life, database: Probe, admission: Admission): void {
  scope.get("/healthz", { schema: { hide: true } }, async (_request, reply) => {
    return reply.header("cache-control", "no-store").send({ status: "alive" });
  });
  scope.get("/readyz", { schema: { hide: true } }, async (_request, reply) => {
    const status = await readiness();
    return reply
      .code(status === "ready" ? 200 : 503)
      .header("cache-control", "no-store")
      .send({ status, files: life.files });
  });

  async function readiness(): Promise<string> {
    if (life.stage !== "serving") return life.stage;
    if (admission.isShedding()) return "busy";
    if (!(await database.answers())) return "no database";
    const skew = database.clockSkew();
    if (skew !== null) return `nothing is charged: ${skewWords(skew)}`;
    return life.files === "missing" ? "no files" : "ready";
  }
}
