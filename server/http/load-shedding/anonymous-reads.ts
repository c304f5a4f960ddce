import { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { clientOf } from "../client.ts";

const maxPerClient = 10;

interface Reads {
  running: number;
  /** Starts a read that waits. */
  readonly waiting: Set<() => void>;
}

/**
 * Lets each client without a session have ten reads in flight, and its others wait: a visitor who sends a hundred at
 * once must not take the database's connections from everybody else.
 */
export function limitAnonymousReads(scope: FastifyInstance, isAnonymous: (request: FastifyRequest) => boolean): void {
  // At most one entry for each request in flight, 2,000 of about 400 bytes: 800 kB.
  const clients = new Map<string, Reads>();
  // At most 2,000 entries of about 300 bytes: 600 kB.
  const leaves = new WeakMap<FastifyReply, () => void>();
  scope.addHook("onRequest", (request, reply, done) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || !(request.raw instanceof IncomingMessage) || !isAnonymous(request)) return done();
    const { key } = clientOf(request);
    const reads = clients.get(key) ?? { running: 0, waiting: new Set() };
    clients.set(key, reads);
    let isRunning = false;
    const start = () => {
      reads.waiting.delete(start);
      reads.running += 1;
      isRunning = true;
      done();
    };
    const leave = () => {
      reads.waiting.delete(start);
      if (isRunning) reads.running -= 1;
      isRunning = false;
      const [next] = reads.waiting;
      if (next && reads.running < maxPerClient) next();
      if (reads.running === 0 && clients.get(key) === reads) clients.delete(key);
    };
    leaves.set(reply, leave);
    reply.raw.once("close", leave);
    if (reads.running < maxPerClient) start();
    else reads.waiting.add(start);
  });
  // The database is done: a client that reads a film slowly holds none of its other reads.
  scope.addHook("onSend", (_request, reply, payload, done) => {
    leaves.get(reply)?.();
    done(null, payload);
  });
}
