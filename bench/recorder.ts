// Loaded into the server before anything else, to learn which statements it makes for which request: they are what the
// bare servers repeat. What a request caused is known by its asynchronous context. That of the connection would not do: a
// request goes on in it once its body arrived.
import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";
import pg from "pg";

export interface Statement {
  /** Statements with a name are prepared once for each connection. */
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

/** One statement and the value of the `x-recorded-as` header of the request that caused it. */
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
