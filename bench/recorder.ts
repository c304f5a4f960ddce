// Loaded into the server first, to record the statements of each request, which the bare servers repeat. The
// asynchronous context links a statement to its request. The connection's context would not do: a request with a body
// continues in it.
import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";
import pg from "pg";

export interface Statement {
  /** Named statements are prepared once per connection. */
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

/** A statement, and the `x-recorded-as` header of its request. */
export interface Recorded {
  readonly key: string;
  readonly statement: Statement;
}

const current = new AsyncLocalStorage<string>();
subscribe("fastify.initialization", (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook("onRegister", (scope) => {
    scope.addHook("onRequest", (request, _reply, done) => {
      current.enterWith(String(request.headers["x-recorded-as"] ?? ""));
      done();
    });
  });
});

const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const key = current.getStore();
  if (key) {
    const config = (typeof args[0] === "string" ? { text: args[0] } : args[0]) as { name?: string; text: string };
    const values = Array.isArray(args[1]) ? args[1] : ((config as { values?: unknown[] }).values ?? []);
    const { name, text } = config;
    process.send?.({ key, statement: { ...(name && { name }), text, values } } satisfies Recorded);
  }
  return query.apply(this, args);
} as typeof pg.Client.prototype.query;
