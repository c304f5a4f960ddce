import { IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Refusal, statusOf } from "#server/base/refusal.ts";
import { problemOf } from "#server/http/problems.ts";
import { hasBody } from "./body-time.ts";
import { Crowd, type CrowdLimits } from "./crowd.ts";

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
  isShedding(): boolean;
  figures(): {
    readonly underWay: number;
    readonly unfinished: number;
    readonly refused: Readonly<Record<"all" | "client" | "unfinished", number>>;
  };
}

/** Probes and payments: they are never turned away, and neither is what comes from memory. */
const sparedPaths = /^\/(healthz|readyz|metrics|api\/authorize-net\/)/;

function isSpared({ url, routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.isFromMemory === true || sparedPaths.test(url);
}

/** Turns away what would only make everybody wait. Call it before any hook that does something for a request. */
export function admitRequests(
  app: FastifyInstance,
  limits: RequestLimits,
  isUpload: (request: FastifyRequest) => boolean,
  clientOf: (request: FastifyRequest) => string,
): Admission {
  const underWay = new UnderWay(limits.underWay, limits.canComeLater);
  const unfinished = new Crowd<Arriving>(limits.unfinished, (arriving) => arriving.cutOff());

  app.addHook("onRequest", (request, reply, done) => {
    const { raw } = request;
    // Our own calls inside this process belong to a request that was taken in.
    if (!(raw instanceof IncomingMessage)) return done();
    // Not even its body is waited for.
    if (underWay.refusesLater(request)) return answerBusy(request, reply);
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

  return {
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

/** Past the hooks of answers, which cost as much as the rest: refusals must not keep those who were taken in waiting. */
function answerBusy(request: FastifyRequest, reply: FastifyReply): void {
  request.server.log.error({ err: busy }, "request failed");
  const body = JSON.stringify(problemOf(busy, request.id));
  reply.type("application/problem+json").headers({
    "cache-control": "no-store",
    "retry-after": busy.retryAfterSeconds,
    "content-length": Buffer.byteLength(body),
  });
  reply.hijack();
  reply.raw.writeHead(statusOf[busy.code], reply.getHeaders() as OutgoingHttpHeaders);
  reply.raw.end(body);
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

  refusesLater({ routeOptions }: FastifyRequest): boolean {
    if (routeOptions.config.canComeLater !== true || !(this.isFull() || this.hasQueue())) return false;
    this.refused.all += 1;
    return true;
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
    raw.once("close", () => {
      this.count -= 1;
      this.add(client, -1);
      this.waiting.delete(raw);
    });
    return undefined;
  }

  private hasQueue(): boolean {
    const { underWay, waitedMs, always } = this.laterLimits;
    if (this.count >= underWay) return true;
    if (this.waiting.size < always) return false;
    for (const [response, since] of this.waiting) {
      if (!response.writableEnded) return performance.now() - since > waitedMs;
      // Answered: a client that does not read its answer makes nobody wait.
      this.waiting.delete(response);
    }
    return false;
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
