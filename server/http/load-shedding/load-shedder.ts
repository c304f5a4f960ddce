import { IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Refusal } from "#server/base/refusal.ts";
import { type ClientLimits, EvictingPool } from "./evicting-pool.ts";
import { hasBody } from "./time-limits.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The client keeps the data and retries: a busy server sheds these requests first. */
    isDeferrable?: boolean;
  }
}

export interface RequestLimits {
  readonly inFlight: ClientLimits;
  readonly deferrable: DeferrableLimits;
  readonly incomplete: ClientLimits;
  /** Answers that are read while they are sent: files and exports. */
  readonly streamed: ClientLimits;
}

/** Deferrable requests are shed past any of these limits, so that they never make other requests queue. */
export interface DeferrableLimits {
  /** All requests in flight, deferrable or not. */
  readonly inFlight: number;
  /** How long the oldest deferrable request has been in flight. */
  readonly maxWaitMs: number;
  /** So many are admitted however long they wait: a few late answers come from a slow machine, not from a queue. */
  readonly alwaysAdmitted: number;
}

export interface LoadShedder {
  /** Call it before the routes, and before any hook that spends work on a request. */
  limitRequests(
    app: FastifyInstance,
    isUpload: (request: FastifyRequest) => boolean,
    clientOf: (request: FastifyRequest) => string,
  ): void;
  /** Counts a page from memory that asks the database after all. False where others would wait for it. */
  admitsMore(client: string, response: ServerResponse): boolean;
  isShedding(): boolean;
  figures(): {
    readonly inFlight: number;
    readonly incomplete: number;
    readonly refused: Readonly<Record<"all" | "client" | "unfinished" | "unread", number>>;
  };
}

/** Probes and payments. */
const neverShedPaths = /^\/(healthz|readyz|metrics|api\/authorize-net\/)/;

/**
 * Refuses requests that would only make all requests wait: 429 past a client's limit, 503 past the server's. Pages that
 * are served from memory cost too little to be counted.
 */
export function createLoadShedder(limits: RequestLimits): LoadShedder {
  const inFlight = new RequestsInFlight(limits.inFlight, limits.deferrable);
  const incomplete = new EvictingPool<IncompleteRequest>(limits.incomplete, (incoming) => incoming.abort());
  const streamed = new EvictingPool<ServerResponse>(limits.streamed, (response) => response.destroy());

  return {
    limitRequests(app, isUpload, clientOf) {
      app.addHook("onRequest", (request, reply, done) => {
        const { raw } = request;
        // A call by `inject` belongs to a request that was admitted already.
        if (!(raw instanceof IncomingMessage)) return done();
        const { isFromMemory = false, isDeferrable = false } = request.routeOptions.config;
        const isWhole = !hasBody(raw) || raw.complete;
        if (isFromMemory && isWhole) return done();
        const isNeverShed = isFromMemory || neverShedPaths.test(request.url);
        const counted = isFromMemory ? null : `${isNeverShed ? "never shed " : ""}${clientOf(request)}`;
        const admit = () => inFlight.admit(reply.raw, counted, { isDeferrable, isNeverShed });
        if (isWhole) return done(admit());
        const refuse = (refusal: Refusal) => {
          // Nobody reads the rest of a refused body, so the connection cannot carry another request.
          if (!raw.complete) reply.header("connection", "close");
          done(refusal);
        };
        if (inFlight.isFull() && !isNeverShed) return refuse(inFlight.shed());
        if (isUpload(request)) return done();
        const incoming = awaitBody(
          raw,
          (refusal) => (refusal ? refuse(refusal) : done()),
          () => (incomplete.delete(incoming) ? admit() : undefined),
        );
        reply.raw.once("close", () => incomplete.delete(incoming) && incoming.fail());
        incomplete.add(clientOf(request), incoming);
      });
      // Node would discard the rest of a body only if nobody had listened for it. The connection's next request waits.
      app.addHook("onResponse", ({ raw }, _reply, done) => {
        if (!raw.readableEnded) raw.resume();
        done();
      });
      app.addHook("onSend", (request, { raw: response }, payload, done) => {
        if (request.raw instanceof IncomingMessage && payload instanceof Readable) {
          inFlight.release(response);
          evictStalled(clientOf(request), response, streamed);
        }
        done(null, payload);
      });
    },
    admitsMore: (client, response) =>
      inFlight.count < limits.deferrable.inFlight &&
      inFlight.admit(response, client, { isDeferrable: false, isNeverShed: false }) === undefined,
    isShedding: () => inFlight.isFull(),
    figures: () => ({
      inFlight: inFlight.count,
      incomplete: incomplete.size,
      refused: { ...inFlight.refused, unfinished: incomplete.evicted, unread: streamed.evicted },
    }),
  };
}

/** Past a limit, the answer ends whose client has read nothing for longest. */
function evictStalled(client: string, response: ServerResponse, streamed: EvictingPool<ServerResponse>): void {
  streamed.add(client, response);
  response.on("drain", () => streamed.delete(response) && streamed.add(client, response));
  response.once("close", () => streamed.delete(response));
}

/** One object for all of them: recording a stack for each would cost more than the rest of the refusal. */
const busy = new Refusal("unavailable", "The academy is very busy. Please try again in a few seconds.", {
  retryAfterSeconds: 2,
  turnsAway: true,
});

class RequestsInFlight {
  readonly refused = { all: 0, client: 0 };
  count = 0;
  private readonly limits: ClientLimits;
  private readonly deferrableLimits: DeferrableLimits;
  /** At most one entry for each request in `releases`, of about 100 bytes. */
  private readonly clients = new Map<string, number>();
  /** Deferrable requests in flight and when they arrived, in milliseconds; the oldest first. At most 500 of 50 bytes. */
  private readonly waiting = new Map<ServerResponse, number>();
  /** At most 2,000 entries, and 1,000 of each client that are never shed, of about 300 bytes. */
  private readonly releases = new Map<ServerResponse, () => void>();

  constructor(limits: ClientLimits, deferrableLimits: DeferrableLimits) {
    this.limits = limits;
    this.deferrableLimits = deferrableLimits;
  }

  isFull(): boolean {
    return this.count >= this.limits.total;
  }

  shed(): Refusal {
    this.refused.all += 1;
    return busy;
  }

  /**
   * @param client null for a page from memory. A request that is never shed has a limit of its client all the same, since
   * one connection can send any number of requests without reading an answer.
   * @returns the refusal, if any
   */
  admit(
    response: ServerResponse,
    client: string | null,
    { isDeferrable, isNeverShed }: { readonly isDeferrable: boolean; readonly isNeverShed: boolean },
  ): Refusal | undefined {
    if (client !== null) {
      if ((this.clients.get(client) ?? 0) >= this.limits.perClient) {
        this.refused.client += 1;
        return tooMany();
      }
      if (!isNeverShed && (this.isFull() || (isDeferrable && this.isDeferrableOverLimit()))) return this.shed();
    }
    this.count += 1;
    this.add(client, 1);
    if (isDeferrable) this.waiting.set(response, performance.now());
    let isInFlight = true;
    const release = () => {
      if (!isInFlight) return;
      isInFlight = false;
      this.count -= 1;
      this.add(client, -1);
      this.waiting.delete(response);
      this.releases.delete(response);
    };
    this.releases.set(response, release);
    // `prefinish` comes when the whole answer is buffered: a client that reads slowly takes no place from others.
    response.on("prefinish", release).on("close", release);
    return undefined;
  }

  /** Before the end of an answer whose rest waits for its client. */
  release(response: ServerResponse): void {
    this.releases.get(response)?.();
  }

  private isDeferrableOverLimit(): boolean {
    const { inFlight, maxWaitMs, alwaysAdmitted } = this.deferrableLimits;
    if (this.count >= inFlight) return true;
    if (this.waiting.size < alwaysAdmitted) return false;
    const [oldest] = this.waiting.values();
    return oldest !== undefined && performance.now() - oldest > maxWaitMs;
  }

  private add(client: string | null, more: 1 | -1): void {
    if (client === null) return;
    const own = (this.clients.get(client) ?? 0) + more;
    if (own > 0) this.clients.set(client, own);
    else this.clients.delete(client);
  }
}

interface IncompleteRequest {
  abort(): void;
  fail(): void;
}

/**
 * Calls `handOver` once: when the body is complete, when it is too long to be buffered here, or with a refusal. Without
 * it, half bodies from two addresses would take all places, and everybody else would get 503 for ten seconds.
 * @param onWhole called when the body is complete, also after `handOver`.
 */
function awaitBody(
  request: IncomingMessage,
  handOver: (refusal?: Refusal) => void,
  onWhole: () => Refusal | undefined,
): IncompleteRequest {
  let isHandedOver = false;
  const handOverOnce = (refusal?: Refusal) => {
    if (isHandedOver) return;
    isHandedOver = true;
    handOver(refusal);
  };
  watchBody(request, { onFull: () => handOverOnce(), onEnd: () => handOverOnce(onWhole()) });
  return {
    abort() {
      if (isHandedOver) request.destroy();
      else handOverOnce(tooMany());
    },
    fail: () =>
      handOverOnce(new Refusal("malformed-request", "We didn't receive the whole request. Please try again.")),
  };
}

function tooMany(): Refusal {
  return new Refusal("too-many-requests", "We're getting too many requests from your network. Please wait a moment.", {
    retryAfterSeconds: 2,
  });
}

/** Takes nothing of the body, which the route's parser reads. */
function watchBody(request: IncomingMessage, { onFull, onEnd }: { onFull: () => void; onEnd: () => void }): void {
  const maxBuffered = request.readableHighWaterMark;
  const look = () => {
    const isFull = request.readableLength >= maxBuffered || Number(request.headers["content-length"]) > maxBuffered;
    if (!request.complete && !isFull) return;
    request.off("readable", look);
    if (request.complete) return onEnd();
    request.once("end", onEnd);
    onFull();
  };
  request.on("readable", look);
}
