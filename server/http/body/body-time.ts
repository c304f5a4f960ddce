import type { IncomingMessage, ServerResponse } from "node:http";
import { SECOND } from "#server/clock.ts";

/** All times in milliseconds. */
export interface BodyTime {
  /** In which a body arrives whole. */
  readonly whole: number;
  /** Where large files come in: there a body may take longer, as long as it makes progress. */
  readonly patientPath: string;
  /** How often progress is looked at, and the bytes that must have come since the last look. */
  readonly window: number;
  readonly leastPerWindow: number;
}

/** A minute for every body; at the patient address 4 KiB a second, slower than any line that megabytes make sense on. */
export function bodyTime(patientPath: string): BodyTime {
  return { whole: 60 * SECOND, patientPath, window: 15 * SECOND, leastPerWindow: 60 * 1024 };
}

/** Ends a request whose body takes too long, with 408. Node's own limit knows no difference between addresses. */
export function limitBodyTime(request: IncomingMessage, response: ServerResponse, limits: BodyTime): void {
  const { headers, socket, url = "" } = request;
  if (headers["transfer-encoding"] === undefined && !Number(headers["content-length"])) return;
  const isPatient = url.split("?", 1)[0] === limits.patientPath;
  let before = socket.bytesRead;
  const look = () => {
    const arrived = socket.bytesRead - before;
    before = socket.bytesRead;
    if (isPatient && arrived >= limits.leastPerWindow) return;
    if (!response.headersSent)
      socket.write("HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    socket.destroySoon();
  };
  const timer = setInterval(look, isPatient ? limits.window : limits.whole);
  for (const event of ["end", "close"]) request.once(event, () => clearInterval(timer));
}
