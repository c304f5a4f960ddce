import { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "#server/refusal.ts";
import { Crowd, type CrowdLimits } from "./crowd.ts";

export interface RequestLimits {
  /** Requests that have arrived whole and are not answered. */
  readonly underWay: CrowdLimits;
  /** Requests of which a part of the body is missing. */
  readonly unfinished: CrowdLimits;
}

export interface Admission {
  /** Whether a request that comes now is turned away. */
  isShedding(): boolean;
  figures(): {
    readonly underWay: number;
    readonly unfinished: number;
    /** So far, by what there was too much of. */
    readonly refused: Readonly<Record<"all" | "client" | "unfinished", number>>;
  };
}

/** Probes and payments: they are never turned away, and neither is what comes from memory. */
const sparedPaths = /^\/(healthz|readyz|metrics|api\/authorize-net\/)/;

function isSpared({ url, routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.isFromMemory === true || sparedPaths.test(url);
}

/**
 * Turns requests away at once while as many requests are under way as this process answers in a second: they would
 * only make everybody wait. Under way is what has arrived whole. Nothing is done for a request before that, uploads
 * apart, which are counted where they are taken in. Call it before any other hook is added.
 * @param isUpload whether a request is read as it arrives.
 * @param clientOf whom a request counts for.
 */
export function admitRequests(
  app: FastifyInstance,
  limits: RequestLimits,
  isUpload: (request: FastifyRequest) => boolean,
  clientOf: (request: FastifyRequest) => string,
): Admission {
  const refused = { all: 0, client: 0 };
  const clients = new Map<string, number>();
  let underWay = 0;
  const isFull = () => underWay >= limits.underWay.all;
  const unfinished = new Crowd<Arriving>(limits.unfinished, (arriving) => arriving.cutOff());

  function refuseBusy(): Refusal {
    refused.all += 1;
    return new Refusal("unavailable", "The academy is very busy. Please try again in a few seconds.", {
      retryAfterSeconds: 2,
    });
  }

  /** Counts the request until it is answered, or says why not. */
  function take(request: FastifyRequest, reply: FastifyReply, client: string): Refusal | undefined {
    const own = clients.get(client) ?? 0;
    if (!isSpared(request)) {
      if (own >= limits.underWay.each) {
        refused.client += 1;
        return tooMany();
      }
      if (isFull()) return refuseBusy();
    }
    underWay += 1;
    clients.set(client, own + 1);
    reply.raw.once("close", () => {
      underWay -= 1;
      const left = (clients.get(client) ?? 1) - 1;
      if (left > 0) clients.set(client, left);
      else clients.delete(client);
    });
    return undefined;
  }

  app.addHook("onRequest", (request, reply, done) => {
    const { raw } = request;
    // Our own calls inside this process belong to a request that was taken in.
    if (!(raw instanceof IncomingMessage)) return done();
    const client = clientOf(request);
    if (isWhole(raw)) return done(take(request, reply, client));
    // A refused body is not read: what follows on this connection could not be told from it.
    const refuse = (refusal: Refusal) => {
      reply.header("connection", "close");
      done(refusal);
    };
    if (isFull() && !isSpared(request)) return refuse(refuseBusy());
    if (isUpload(request)) return done();

    let isHandedOver = false;
    const handOver = (refusal?: Refusal) => {
      if (isHandedOver) return;
      isHandedOver = true;
      if (refusal) refuse(refusal);
      else done();
    };
    const arriving: Arriving = {
      cutOff() {
        if (isHandedOver) raw.destroy();
        else handOver(tooMany());
      },
    };
    reply.raw.once("close", () => {
      if (unfinished.delete(arriving)) handOver(new Refusal("malformed-request", "The request did not arrive whole."));
    });
    unfinished.add(client, arriving);
    watchBody(raw, {
      // Longer than anybody waits to read: its route refuses it, or reads it as it comes.
      onFull: () => handOver(),
      onEnd() {
        if (unfinished.delete(arriving)) handOver(take(request, reply, client));
      },
    });
  });

  return {
    isShedding: isFull,
    figures: () => ({
      underWay,
      unfinished: unfinished.size,
      refused: { ...refused, unfinished: unfinished.ended },
    }),
  };
}

interface Arriving {
  /** Ends it before it is whole. */
  cutOff(): void;
}

function tooMany(): Refusal {
  return new Refusal("too-many-requests", "Too many requests come from your network at once. Please wait a moment.", {
    retryAfterSeconds: 2,
  });
}

function isWhole({ headers, complete }: IncomingMessage): boolean {
  return complete || (headers["transfer-encoding"] === undefined && !Number(headers["content-length"]));
}

/** Sees the body arrive without reading it: the parser pushes each piece, and null when it was the last. */
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
