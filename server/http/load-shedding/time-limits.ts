import { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { SECOND } from "#server/base/clock.ts";

const limits = {
  whole: 10 * SECOND,
  /** At least 4 KiB a second. */
  window: 15 * SECOND,
  minBytesPerWindow: 60 * 1024,
  /** Three calls of a silent gateway take longer, and proxies give up after a minute. */
  answer: 55 * SECOND,
};

/** Has `end` answer 408 on the socket when a body is late. An upload may take as long as it makes progress. */
export function limitBodyTime(
  app: FastifyInstance,
  isUpload: (request: FastifyRequest) => boolean,
  end: (error: Error & { code: string }, socket: Socket) => void,
): void {
  app.addHook("onRequest", (request, reply, done) => {
    const { raw } = request;
    // A call by `inject` has its whole body and no socket.
    if (raw instanceof IncomingMessage && hasBody(raw)) {
      onBodyTimeout(raw, { isUpload: isUpload(request) }, () => {
        if (!reply.raw.headersSent) {
          end(Object.assign(new Error("slow body"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), raw.socket);
        }
        raw.socket.destroySoon();
      });
    }
    done();
  });
}

/** Closes the connection of a request whose answer has not begun after 55 seconds: what it does goes on. */
export function limitAnswerTime(
  app: FastifyInstance,
  isUpload: (request: FastifyRequest) => boolean,
  timeLimitFactor = 1,
): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (request.raw instanceof IncomingMessage && !isUpload(request)) {
      const overdue = setTimeout(() => {
        if (!reply.raw.headersSent) request.raw.socket.destroy();
      }, timeLimitFactor * limits.answer);
      reply.raw.once("close", () => clearTimeout(overdue));
    }
    done();
  });
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0;
}

/** Calls `end` when the rest of the body does not arrive in time. */
function onBodyTimeout(request: IncomingMessage, { isUpload }: { readonly isUpload: boolean }, end: () => void): void {
  const { socket } = request;
  let before = socket.bytesRead;
  const check = () => {
    const arrived = socket.bytesRead - before;
    before = socket.bytesRead;
    if (!request.complete && isUpload && arrived >= limits.minBytesPerWindow) return;
    clearInterval(timer);
    if (!request.complete) end();
  };
  const timer = setInterval(check, isUpload ? limits.window : limits.whole);
  request.once("close", () => clearInterval(timer));
}
