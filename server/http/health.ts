import { sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import type { Context } from "#server/context.ts";

/** What this node sees of the file store; `elsewhere`: its own disk never held the files. */
export type StoreHealth = "present" | "missing" | "elsewhere" | "unreachable";

/** Where the process is in its life; the probes and nothing else read it. */
export interface Life {
  stage: "starting" | "serving" | "draining";
  files: StoreHealth;
}

/**
 * `/healthz`: the process lives. `/readyz`: it serves, the database answers and the files are where they were; a store
 * that does not answer for a while is named, and everything else goes on.
 */
export function healthRoutes(scope: FastifyInstance, ctx: Context, life: Life): void {
  scope.get("/healthz", { schema: { hide: true } }, async (_request, reply) => {
    return reply.header("cache-control", "no-store").send({ status: "alive" });
  });
  scope.get("/readyz", { schema: { hide: true } }, async (_request, reply) => {
    const database = await ctx.db.execute(sql`select 1`).then(
      () => true,
      () => false,
    );
    const status = statusOf(life, database);
    return reply
      .code(status === "ready" ? 200 : 503)
      .header("cache-control", "no-store")
      .send({ status, files: life.files });
  });
}

function statusOf(life: Life, database: boolean): string {
  if (life.stage !== "serving") return life.stage;
  if (!database) return "no database";
  return life.files === "missing" ? "no files" : "ready";
}
