import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { SECOND } from "#server/clock.ts";

/** All times in milliseconds. */
const limits = {
  /** In which a small body arrives whole. */
  whole: 10 * SECOND,
  /** How often the progress of an upload is measured, and the bytes that must have come since: 4 KiB a second. */
  window: 15 * SECOND,
  leastPerWindow: 60 * 1024,
};

/**
 * Ends a request whose body takes too long, with 408. An upload may take as long as it likes while it makes progress,
 * and so may what follows on a body that has arrived.
 * @param end answers on the bare connection, as for requests that never become whole.
 */
export function limitBodyTime(
  request: IncomingMessage,
  response: ServerResponse,
  { isUpload, end }: { isUpload: boolean; end: (error: Error & { code: string }, socket: Socket) => void },
): void {
  const { headers, socket } = request;
  if (headers["transfer-encoding"] === undefined && !Number(headers["content-length"])) return;
  let before = socket.bytesRead;
  const check = () => {
    const arrived = socket.bytesRead - before;
    before = socket.bytesRead;
    if (request.complete) return clearInterval(timer);
    if (isUpload && arrived >= limits.leastPerWindow) return;
    clearInterval(timer);
    if (!response.headersSent) end(Object.assign(new Error("slow body"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
    socket.destroySoon();
  };
  const timer = setInterval(check, isUpload ? limits.window : limits.whole);
  request.once("close", () => clearInterval(timer));
}
