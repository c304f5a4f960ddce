import { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Span, tracing } from "#server/base/tracing.ts";
import { wasTurnedAway } from "./problems.ts";

/** Probes, and the sandbox. */
const untraced = /^\/(healthz|readyz|metrics|sandbox)\b/;

/** Names spans by method and route, since addresses contain what people wrote. Call it before other hooks. */
export function traceRequests(app: FastifyInstance): void {
  const tracer = tracing();
  if (!tracer) return;
  // At most one entry for each request in memory, of about 1 kB.
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook("onRequest", (request, _reply, done) => {
    const { routeOptions, method, raw, url, id } = request;
    if (routeOptions.config.isFromMemory === true || untraced.test(url)) return done();
    const route = routeOptions.url;
    const name = route ? `${method} ${route}` : method;
    const facts = { "http.request.method": method, ...(route && { "http.route": route }), "academy.request_id": id };
    // A call by `inject` is a child of the span that made it. A visitor's traceparent header is ignored.
    const isOurs = !(raw instanceof IncomingMessage);
    const span =
      (isOurs ? tracer.startSpan("request", name, facts) : null) ?? tracer.startTrace("request", name, facts);
    spans.set(request, span);
    span.within(done);
  });
  // Events of the body run outside of the span's context.
  app.addHook("preValidation", (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.within(done);
    else done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const span = spans.get(request);
    span?.add({ "http.response.status_code": reply.statusCode });
    span?.end(reply.statusCode >= 500 && !wasTurnedAway(request) ? String(reply.statusCode) : undefined);
    done();
  });
}
