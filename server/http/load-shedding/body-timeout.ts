import { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { SECOND } from "#server/base/clock.ts";

const limits = {
  whole: 10 * SECOND,
  /** At least 4 KiB a second. */
  window: 15 * SECOND,
  leastPerWindow: 60 * 1024,
};

/** Answers 408 on the bare connection by `end`. An upload may take as long as it makes progress. */
export function limitBodyTime(
  app: FastifyInstance,
  isUpload: (request: FastifyRequest) => boolean,
  end: (error: Error & { code: string }, socket: Socket) => void,
): void {
  app.addHook("onRequest", (request, reply, done) => {
    const { raw } = request;
    // Our own calls inside this process come whole, and on no connection.
    if (raw instanceof IncomingMessage && hasBody(raw)) {
      endWhenLate(raw, isUpload(request), () => {
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

/** Calls `end` once its body is late. */
export function endWhenLate(request: IncomingMessage, isUpload: boolean, end: () => void): void {
  const { socket } = request;
  let before = socket.bytesRead;
  const check = () => {
    const arrived = socket.bytesRead - before;
    before = socket.bytesRead;
    if (!request.complete && isUpload && arrived >= limits.leastPerWindow) return;
    clearInterval(timer);
    if (!request.complete) end();
  };
  const timer = setInterval(check, isUpload ? limits.window : limits.whole);
  request.once("close", () => clearInterval(timer));
}
