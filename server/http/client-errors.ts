import type { Socket } from "node:net";
import { Refusal } from "#server/base/refusal.ts";
import { newId } from "#server/db/id.ts";
import { problemOf } from "./problems.ts";

/** Answers requests that Node cannot parse, with problem JSON and the usual headers, and closes the connection. */
export function answerClientErrors(headers: Readonly<Record<string, string>>) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    const problem = problemOf(refusalFor(error.code), newId());
    const body = JSON.stringify(problem);
    const lines = Object.entries({
      ...headers,
      "content-type": "application/problem+json; charset=utf-8",
      "content-length": String(Buffer.byteLength(body)),
      "cache-control": "no-store",
      connection: "close",
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join("")}\r\n${body}`);
  };
}

function refusalFor(code: string | undefined): Refusal {
  if (code === "HPE_HEADER_OVERFLOW") return new Refusal("headers-too-large", "The request's headers are too large.");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new Refusal("request-timeout", "The request took too long to arrive.");
  return new Refusal("malformed-request", "We couldn't understand the request.");
}
