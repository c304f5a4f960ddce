import { createServer, type RequestListener } from "node:http";
import Fastify from "fastify";
import { onTestFinished } from "vitest";
import { merchant } from "#sandbox/gateway/gateway.ts";
import { authorizeNet } from "#server/gateway/authorize-net/authorize-net.ts";
import type { Charge } from "#server/gateway/gateway.ts";
import { listening } from "../listening.ts";

/** A charge that any of them accepts. */
export const sampleCharge: Charge = {
  reference: "attempt-000000000001",
  invoiceNumber: "purchase-1",
  amountCents: 4900,
  description: "Monthly Access",
  card: { descriptor: "COMMON.ACCEPT.INAPP.PAYMENT", value: "token-value-0001" },
  customer: { id: "student-1", email: "ada@academy.test", firstName: "Ada", lastName: "Byron" },
  storeCard: false,
};

/** The gateway's adapter with the sandbox's credentials and a given URL, and its log. */
export function adapterAt(apiUrl: string, more: Partial<Parameters<typeof authorizeNet>[0]> = {}) {
  const lines: string[] = [];
  const gateway = authorizeNet({
    ...merchant,
    environment: "demo",
    apiUrl,
    scriptUrl: "https://jstest.authorize.net/v1/Accept.js",
    timeouts: { connectMs: 1000, totalMs: 1000 },
    log: Fastify({ logger: { level: "trace", stream: { write: (line) => void lines.push(line) } } }).log,
    ...more,
  });
  return { gateway, lines };
}

/** The adapter with a gateway that replies by a given function. */
export async function gatewayThat(answer: RequestListener, more: Parameters<typeof adapterAt>[1] = {}) {
  const server = createServer(answer);
  const port = await listening(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return adapterAt(`http://127.0.0.1:${port}/xml/v1/request.api`, more);
}

/**
 * The adapter with a gateway that sends these replies in order, and repeats the last one. `requests` has the parsed
 * requests.
 */
export async function gatewayReplying(...replies: (object | string)[]) {
  const requests: Record<string, unknown>[] = [];
  const adapter = await gatewayThat(async (request, response) => {
    requests.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
    const reply = replies[Math.min(requests.length, replies.length) - 1] ?? "";
    response.end(typeof reply === "string" ? reply : `\uFEFF${JSON.stringify(reply)}`);
  });
  return { ...adapter, requests };
}
