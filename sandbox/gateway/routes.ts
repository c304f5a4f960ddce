import { readFileSync } from "node:fs";
import type { FastifyPluginAsync, FastifyReply } from "fastify";
import type { Clock } from "#server/base/clock.ts";
import type { Store } from "../store.ts";
import { answerRequest, type Delivery } from "./gateway.ts";
import { MAX_DELAY_MS } from "./outcomes.ts";

const BOM = "\uFEFF";

/** The card gateway's wire protocol: HTTP 200 with a byte order mark for everything but staged failures. */
export function gatewayRoutes(store: Store, clock: Clock): FastifyPluginAsync {
  const acceptScript = readFileSync(new URL("./accept.js", import.meta.url), "utf8");
  return async (app) => {
    // At most one entry for each request in flight, of about 200 bytes.
    const held = new Set<{ end: () => void }>();
    app.addHook("preClose", async () => {
      for (const connection of held) connection.end();
    });

    app.addHook("onRequest", async (_request, reply) => {
      reply.header("access-control-allow-origin", "*");
      reply.header("access-control-allow-methods", "GET,POST,OPTIONS");
      reply.header("access-control-allow-headers", "x-requested-with,cache-control,content-type,origin,method");
      reply.header("x-content-type-options", "nosniff");
      reply.header("cross-origin-resource-policy", "cross-origin");
      reply.header("cache-control", "no-cache");
    });

    app.options("/xml/v1/request.api", async (_request, reply) => reply.code(204).send());

    app.post("/xml/v1/request.api", async (request, reply) => {
      return deliver(answerRequest(store, clock, String(request.body ?? "")), reply, held);
    });

    app.get("/v1/Accept.js", async (_request, reply) => {
      return reply.type("application/javascript; charset=utf-8").send(acceptScript);
    });
  };
}

async function deliver(delivery: Delivery, reply: FastifyReply, held: Set<{ end: () => void }>): Promise<FastifyReply> {
  reply.type("application/json; charset=utf-8");
  switch (delivery.kind) {
    case "http-500":
      return reply.code(500).type("text/html").send("<h1>Server Error</h1>");
    case "malformed":
      return reply.send(BOM + delivery.body);
    case "reset":
      reply.hijack();
      reply.raw.socket?.resetAndDestroy();
      return reply;
    case "silence":
      reply.hijack();
      await hold(reply, held, MAX_DELAY_MS);
      reply.raw.destroy();
      return reply;
    case "reply":
      if (delivery.afterMs > 0) await hold(reply, held, delivery.afterMs);
      return reply.send(BOM + delivery.body);
  }
}

/** Delays a reply without keeping the process alive; ends early when the client disconnects or the sandbox closes. */
async function hold(reply: FastifyReply, held: Set<{ end: () => void }>, milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const connection = { end: resolve };
  const timer = setTimeout(resolve, milliseconds);
  timer.unref();
  held.add(connection);
  reply.raw.once("close", resolve);
  await promise;
  clearTimeout(timer);
  held.delete(connection);
}
