import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { listening } from "../listening.ts";

const Attributes = z.array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) })).default([]);
const ReceivedSpan = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: Attributes,
});
const Traces = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(ReceivedSpan) })),
    }),
  ),
});
export type ReceivedSpan = z.infer<typeof ReceivedSpan>;

/** A receiver for OTLP over HTTP in JSON. */
export async function openTraceReceiver() {
  const spans: ReceivedSpan[] = [];
  /** All received bytes, including headers. */
  const said: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    said.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`);
    if (request.url === "/v1/traces") {
      const { resourceSpans } = Traces.parse(JSON.parse(body));
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    }
    response.setHeader("content-type", "application/json").end("{}");
  });
  return {
    url: `http://127.0.0.1:${await listening(server)}`,
    spans,
    said,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
