import { sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import type { Context } from "#server/context.ts";

/** Where the process is in its life; the probes and nothing else read it. */
export interface Life {
  stage: "starting" | "serving" | "draining";
}

/** `/healthz`: the process lives. `/readyz`: it serves, and the database answers. */
export function healthRoutes(scope: FastifyInstance, ctx: Context, life: Life): void {
  scope.get("/healthz", { schema: { hide: true } }, async (_request, reply) => {
    return reply.header("cache-control", "no-store").send({ status: "alive" });
  });
  scope.get("/readyz", { schema: { hide: true } }, async (_request, reply) => {
    const database = await ctx.db.execute(sql`select 1`).then(
      () => true,
      () => false,
    );
    const ready = life.stage === "serving" && database;
    return reply
      .code(ready ? 200 : 503)
      .header("cache-control", "no-store")
      .send({ status: ready ? "ready" : life.stage === "serving" ? "no database" : life.stage });
  });
}
