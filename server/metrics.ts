import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { countJobs } from "#server/jobs/jobs.ts";
import { countUnresolvedPayments } from "#server/purchases/attempts/outcomes.ts";
import type { Context } from "./context.ts";
import { Refusal } from "./refusal.ts";

/**
 * `GET /metrics` in Prometheus' text format, for a scraper on this machine and for whoever shows the bearer token of
 * METRICS_TOKEN; for everybody else there is nothing at this address.
 */
export function metricsRoutes(scope: FastifyInstance, ctx: Context): void {
  const answers = new Map<string, number>();
  scope.addHook("onResponse", (_request, reply, done) => {
    const group = `${Math.floor(reply.statusCode / 100)}xx`;
    answers.set(group, (answers.get(group) ?? 0) + 1);
    done();
  });

  scope.get("/metrics", { schema: { hide: true } }, async (request, reply) => {
    if (!mayScrape(ctx, request)) throw new Refusal("not-found", "There is nothing at this address.");
    // Without its database an academy is most worth a look: what needs it is then left out.
    const counts = await Promise.all([countJobs(ctx.db, ctx.clock.now()), countUnresolvedPayments(ctx.db)]).catch(
      () => null,
    );
    const lines = [
      ...metric("academy_http_answers_total", "counter", "Answers to requests that reached the router, by status", [
        ...[...answers].map(([group, count]) => [`{status="${group}"}`, count] as const),
      ]),
      ...(counts ? countMetrics(...counts) : []),
      ...metric("process_resident_memory_bytes", "gauge", "Resident memory", [["", process.memoryUsage.rss()]]),
      ...metric("process_uptime_seconds", "gauge", "Seconds since the process began", [["", process.uptime()]]),
    ];
    return reply
      .type("text/plain; version=0.0.4; charset=utf-8")
      .header("cache-control", "no-store")
      .send(`${lines.join("\n")}\n`);
  });
}

function countMetrics(jobs: { due: number; failed: number }, unresolvedPayments: number): string[] {
  return [
    ...metric("academy_jobs_due", "gauge", "Jobs that are due and not done", [["", jobs.due]]),
    ...metric("academy_jobs_failed", "gauge", "Jobs that failed too often", [["", jobs.failed]]),
    ...metric("academy_payments_unresolved", "gauge", "Payments whose outcome is not known yet", [
      ["", unresolvedPayments],
    ]),
  ];
}

function metric(
  name: string,
  type: "counter" | "gauge",
  help: string,
  samples: readonly (readonly [labels: string, value: number])[],
): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([labels, value]) => `${name}${labels} ${value}`),
  ];
}

/** A request that a proxy on this machine passed on comes from the loopback address too, but says so. */
function mayScrape(ctx: Context, request: FastifyRequest): boolean {
  const token = ctx.config.metricsToken;
  const shown = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
  if (token && shown.length === token.length && timingSafeEqual(Buffer.from(shown), Buffer.from(token))) return true;
  const forwarded = ["forwarded", "x-forwarded-for", "x-real-ip"].some((name) => name in request.headers);
  return !forwarded && /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? "");
}
