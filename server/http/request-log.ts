import type { FastifyInstance } from "fastify";
import { wasLogged } from "./problems.ts";

const frequent = /^\/(sandbox\/|api\/user\/progress\b)/;

/** Logs requests. Reads, probes and frequent calls that succeed are logged at level debug, where they drown nothing. */
export function logRequests(app: FastifyInstance): void {
  const isVerbose = ["trace", "debug"].includes(app.log.level);
  app.addHook("onResponse", (request, reply, done) => {
    const isCommon = request.method === "GET" || frequent.test(request.url);
    const isQuiet = request.url === "/readyz" || (isCommon && reply.statusCode < 500);
    if (!wasLogged(request) && (!isQuiet || isVerbose)) {
      const { method, routeOptions } = request;
      const ms = Math.round(reply.elapsedTime);
      const line = { method, route: routeOptions.url, status: reply.statusCode, ms };
      request.log[isQuiet ? "debug" : "info"](line, "request");
    }
    done();
  });
}
