import { IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Refusal, statusOf } from "#server/base/refusal.ts";
import { newId } from "#server/db/id.ts";
import { problemOf } from "#server/http/problems.ts";
import { endWhenLate, hasBody } from "./body-timeout.ts";
import { Crowd, type CrowdLimits } from "./evicting-pool.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The client keeps what it says and can come again later. */
    canComeLater?: boolean;
  }
}

export interface RequestLimits {
  readonly underWay: CrowdLimits;
  readonly canComeLater: LaterLimits;
  readonly unfinished: CrowdLimits;
}

/** Those that can come later are turned away past any of these, so that neither they nor the others wait in a queue. */
export interface LaterLimits {
  /** Of all requests under way. */
  readonly underWay: number;
  /** Since the oldest of them came. */
  readonly waitedMs: number;
  /** So many are taken in however long they wait: a slow machine answers few late, and a queue is longer. */
  readonly always: number;
}

export interface Admission {
  /** Call it before any hook that does something for a request, and before the routes. */
  admitRequests(
    app: FastifyInstance,
    isUpload: (request: FastifyRequest) => boolean,
    clientOf: (request: FastifyRequest) => string,
  ): void;
  /** `handle`, but for what can come later while it is refused. */
  refuseEarly(handle: RequestListener, early: EarlyRefusals): RequestListener;
  isShedding(): boolean;
  figures(): {
    readonly underWay: number;
    readonly unfinished: number;
    readonly refused: Readonly<Record<"all" | "client" | "unfinished", number>>;
  };
}

export interface EarlyRefusals {
  /** Of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly log: Pick<FastifyBaseLogger, "error">;
  /** While the server drains, its hooks see every request, to end the connections. */
  isDraining(): boolean;
}

/** Probes and payments: they are never turned away, and neither is what comes from memory. */
const sparedPaths = /^\/(healthz|readyz|metrics|api\/authorize-net\/)/;

function isSpared({ url, routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.isFromMemory === true || sparedPaths.test(url);
}

/** Turns away what would only make everybody wait. */
export function openAdmission(limits: RequestLimits): Admission {
  const underWay = new UnderWay(limits.underWay, limits.canComeLater);
  const unfinished = new Crowd<Arriving>(limits.unfinished, (arriving) => arriving.cutOff());
  /** The method and path of each route without parameters that can come later. */
  const laterRoutes = new Set<string>();

  return {
    admitRequests(app, isUpload, clientOf) {
      app.addHook("onRoute", ({ method, url, config }) => {
        if (config?.canComeLater) laterRoutes.add(`${method} ${url}`);
      });
      app.addHook("onRequest", (request, reply, done) => {
        const { raw } = request;
        // Our own calls inside this process belong to a request that was taken in.
        if (!(raw instanceof IncomingMessage)) return done();
        const counted = isSpared(request) ? null : clientOf(request);
        if (!hasBody(raw) || raw.complete) return done(underWay.take(request, reply, counted));
        const refuse = (refusal: Refusal) => {
          // The rest of a refused body is not read: what follows on this connection could not be told from it.
          if (!raw.complete) reply.header("connection", "close");
          done(refusal);
        };
        if (underWay.isFull() && counted !== null) return refuse(underWay.refuseBusy());
        if (isUpload(request)) return done();
        const arriving = awaitBody(
          raw,
          (refusal) => (refusal ? refuse(refusal) : done()),
          () => (unfinished.delete(arriving) ? underWay.take(request, reply, counted) : undefined),
        );
        reply.raw.once("close", () => unfinished.delete(arriving) && arriving.giveUp());
        unfinished.add(counted ?? clientOf(request), arriving);
      });
    },
    refuseEarly: (handle, early) => (request, response) => {
      const canComeLater = laterRoutes.has(`${request.method} ${request.url}`);
      if (canComeLater && underWay.hasNoRoomForLater() && !early.isDraining()) {
        answerBusy(request, response, early, underWay.refuseBusy());
      } else handle(request, response);
    },
    isShedding: () => underWay.isFull(),
    figures: () => ({
      underWay: underWay.count,
      unfinished: unfinished.size,
      refused: { ...underWay.refused, unfinished: unfinished.ended },
    }),
  };
}

/** One for all: to note where each was made would cost more than the rest of a refusal. */
const busy = new Refusal("unavailable", "The academy is very busy. Please try again in a few seconds.", {
  retryAfterSeconds: 2,
});

/** Before the router and its hooks, which cost more than the rest: refusals must not keep those who were taken in waiting. */
function answerBusy(
  request: IncomingMessage,
  response: ServerResponse,
  { headers, log }: EarlyRefusals,
  refusal: Refusal,
): void {
  log.error({ err: refusal }, "request failed");
  const requestId = newId();
  const body = JSON.stringify(problemOf(refusal, requestId));
  response.writeHead(statusOf[refusal.code], {
    ...headers,
    "x-request-id": requestId,
    "cache-control": "no-store",
    "content-type": "application/problem+json; charset=utf-8",
    "retry-after": String(refusal.retryAfterSeconds),
    "content-length": Buffer.byteLength(body),
  });
  // Node reads the body away, which most often came with the headers.
  response.end(body, () => {
    if (!request.complete) endWhenLate(request, false, () => request.socket.destroySoon());
  });
}

class UnderWay {
  readonly refused = { all: 0, client: 0 };
  count = 0;
  private readonly limits: CrowdLimits;
  private readonly laterLimits: LaterLimits;
  private readonly clients = new Map<string, number>();
  /** Those that can come later and when they came, in milliseconds; the oldest first. */
  private readonly waiting = new Map<ServerResponse, number>();

  constructor(limits: CrowdLimits, laterLimits: LaterLimits) {
    this.limits = limits;
    this.laterLimits = laterLimits;
  }

  isFull(): boolean {
    return this.count >= this.limits.all;
  }

  hasNoRoomForLater(): boolean {
    return this.isFull() || this.hasQueue();
  }

  refuseBusy(): Refusal {
    this.refused.all += 1;
    return busy;
  }

  /** @param client null for what is never turned away: it counts among all alone. */
  take({ routeOptions }: FastifyRequest, { raw }: FastifyReply, client: string | null): Refusal | undefined {
    const { canComeLater = false } = routeOptions.config;
    if (client !== null) {
      if ((this.clients.get(client) ?? 0) >= this.limits.each) {
        this.refused.client += 1;
        return tooMany();
      }
      if (this.isFull() || (canComeLater && this.hasQueue())) return this.refuseBusy();
    }
    this.count += 1;
    this.add(client, 1);
    if (canComeLater) this.waiting.set(raw, performance.now());
    let isUnderWay = true;
    const leave = () => {
      if (!isUnderWay) return;
      isUnderWay = false;
      this.count -= 1;
      this.add(client, -1);
      this.waiting.delete(raw);
    };
    // Comes when the whole answer is handed over: a client that does not read it keeps nobody out.
    raw.once("prefinish", leave).once("close", leave);
    return undefined;
  }

  private hasQueue(): boolean {
    const { underWay, waitedMs, always } = this.laterLimits;
    if (this.count >= underWay) return true;
    if (this.waiting.size < always) return false;
    const [oldest] = this.waiting.values();
    return oldest !== undefined && performance.now() - oldest > waitedMs;
  }

  private add(client: string | null, more: 1 | -1): void {
    if (client === null) return;
    const own = (this.clients.get(client) ?? 0) + more;
    if (own > 0) this.clients.set(client, own);
    else this.clients.delete(client);
  }
}

interface Arriving {
  cutOff(): void;
  giveUp(): void;
}

/** Once: when it is whole, refused for its size, or read as it comes. @param onWhole is called for a long one, too. */
function awaitBody(
  request: IncomingMessage,
  handOver: (refusal?: Refusal) => void,
  onWhole: () => Refusal | undefined,
): Arriving {
  let isHandedOver = false;
  const handOverOnce = (refusal?: Refusal) => {
    if (isHandedOver) return;
    isHandedOver = true;
    handOver(refusal);
  };
  watchBody(request, { onFull: () => handOverOnce(), onEnd: () => handOverOnce(onWhole()) });
  return {
    cutOff() {
      if (isHandedOver) request.destroy();
      else handOverOnce(tooMany());
    },
    giveUp: () => handOverOnce(new Refusal("malformed-request", "The request did not arrive whole.")),
  };
}

function tooMany(): Refusal {
  return new Refusal("too-many-requests", "Too many requests come from your network at once. Please wait a moment.", {
    retryAfterSeconds: 2,
  });
}

function watchBody(request: IncomingMessage, { onFull, onEnd }: { onFull: () => void; onEnd: () => void }): void {
  const most = request.readableHighWaterMark;
  const push = request.push.bind(request);
  let arrived = 0;
  request.push = (piece: Buffer | null, encoding) => {
    const wantsMore = push(piece, encoding);
    arrived += piece?.length ?? 0;
    // Not in the midst of parsing: what is called here may answer at once.
    if (piece === null) queueMicrotask(onEnd);
    else if (arrived >= most) queueMicrotask(onFull);
    return wantsMore;
  };
  if (Number(request.headers["content-length"]) > most) queueMicrotask(onFull);
}
