import { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Span, tracing } from "#server/base/tracing.ts";

/** Probes, what comes from memory, and the demo's stand-ins for others. */
const untraced = /^\/(healthz|readyz|metrics|sandbox)\b/;

/** By method and route alone: addresses and their queries hold what people wrote. Call it before other hooks. */
export function traceRequests(app: FastifyInstance): void {
  const tracer = tracing();
  if (!tracer) return;
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook("onRequest", (request, _reply, done) => {
    const { routeOptions, method, raw, url, id } = request;
    if (routeOptions.config.isFromMemory === true || untraced.test(url)) return done();
    const route = routeOptions.url;
    const name = route ? `${method} ${route}` : method;
    const facts = { "http.request.method": method, ...(route && { "http.route": route }), "academy.request_id": id };
    // Our own calls inside this process are parts of what made them. What a visitor's headers say of a trace counts for nothing.
    const isOurs = !(raw instanceof IncomingMessage);
    const span =
      (isOurs ? tracer.startSpan("request", name, facts) : null) ?? tracer.startTrace("request", name, facts);
    spans.set(request, span);
    span.within(done);
  });
  // The end of a body is told outside of what began with its headers.
  app.addHook("preValidation", (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.within(done);
    else done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const span = spans.get(request);
    span?.add({ "http.response.status_code": reply.statusCode });
    span?.end(reply.statusCode >= 500 ? String(reply.statusCode) : undefined);
    done();
  });
}
