import { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { SECOND } from "#server/base/clock.ts";

const limits = {
  whole: 10 * SECOND,
  /** At least 4 KiB a second. */
  window: 15 * SECOND,
  minBytesPerWindow: 60 * 1024,
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

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0;
}

/** Calls `end` when the rest of the body does not arrive in time. */
export function onBodyTimeout(
  request: IncomingMessage,
  { isUpload }: { readonly isUpload: boolean },
  end: () => void,
): void {
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
