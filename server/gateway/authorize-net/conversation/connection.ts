import * as http from "node:http";
import * as https from "node:https";
import { tracing } from "#server/base/tracing.ts";
import { replyOf } from "./replies.ts";

/** "not-sent": no byte left, so nothing can have happened. "lost": no answer came; anything may have happened. */
export type Delivery =
  | { readonly kind: "replied"; readonly reply: Record<string, unknown> }
  | { readonly kind: "not-sent"; readonly reason: string }
  | { readonly kind: "lost"; readonly reason: string };

const MAX_REPLY_BYTES = 1024 * 1024;

/** A kept connection may be dead, and make a charge unknown that never left. A redirect would carry credentials away. */
export function connect(
  apiUrl: string,
  timeouts: { connectMs: number; totalMs: number },
): (request: object) => Promise<Delivery> {
  const url = new URL(apiUrl);
  const secure = url.protocol === "https:";
  const agent = secure ? new https.Agent({ keepAlive: false }) : new http.Agent({ keepAlive: false });
  const open = secure ? https.request : http.request;

  return (content) => {
    const body = Buffer.from(JSON.stringify(content));
    const request = open(url, {
      method: "POST",
      agent,
      headers: { "content-type": "application/json", "content-length": body.length, accept: "application/json" },
    });
    // The name of the request alone: what it holds is about people and cards.
    const span = tracing()?.startSpan("call", `gateway ${Object.keys(content)[0]}`, {});
    const delivered = deliver(request, body, secure ? "secureConnect" : "connect", timeouts);
    void delivered.then(({ kind }) => span?.end(kind === "replied" ? undefined : kind));
    return delivered;
  };
}

/** Nothing is written before the connection stands, TLS included: from then on the request counts as sent. */
function deliver(
  request: http.ClientRequest,
  body: Buffer,
  connected: "connect" | "secureConnect",
  { connectMs, totalMs }: { connectMs: number; totalMs: number },
): Promise<Delivery> {
  return new Promise((resolve) => {
    let sent = false;
    const settle = (delivery: Delivery) => {
      clearTimeout(connecting);
      clearTimeout(waiting);
      resolve(delivery);
      request.destroy();
    };
    const fail = (reason: string) => settle({ kind: sent ? "lost" : "not-sent", reason });
    const connecting = setTimeout(() => fail("timed out while connecting"), connectMs);
    const waiting = setTimeout(() => fail("timed out"), totalMs);

    request.once("socket", (socket) => {
      socket.once(connected, () => {
        clearTimeout(connecting);
        sent = true;
        request.end(body);
      });
    });
    request.on("error", (error: NodeJS.ErrnoException) => fail(error.code ?? "connection failed"));
    request.once("close", () => fail("the connection was closed"));
    request.once("response", (response) => {
      if (response.statusCode !== 200) return fail(`HTTP ${response.statusCode}`);
      readBody(response, (text) => {
        const reply = text === null ? null : replyOf(text);
        if (reply) settle({ kind: "replied", reply });
        else fail(text === null ? "the reply was cut off or too long" : "the reply is not readable");
      });
    });
  });
}

function readBody(response: http.IncomingMessage, done: (text: string | null) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_REPLY_BYTES) done(null);
  });
  response.once("end", () => done(length > MAX_REPLY_BYTES ? null : Buffer.concat(chunks).toString("utf8")));
  response.on("error", () => done(null));
  response.once("aborted", () => done(null));
}
