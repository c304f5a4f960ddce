import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import type { FastifyInstance } from "fastify";
import { Refusal, statusOf } from "#server/base/refusal.ts";
import { plainPage, plainPagePolicy } from "./plain-page.ts";
import { problemOf } from "./problems.ts";

export interface Addresses {
  readonly publicUrl: string;
  readonly host: string;
  readonly port: number;
}

/**
 * Refuses other hosts with 421. Otherwise a stranger's name that resolves to this machine (DNS rebinding) could use
 * whatever a demo leaves open.
 */
export function requireKnownHost(app: FastifyInstance, addresses: Addresses): void {
  const known = hostsOf(addresses);
  const { publicUrl } = addresses;
  const refusal = new Refusal("misdirected-request", `This demo answers at ${publicUrl} alone.`);
  const link = { href: publicUrl, text: "Go there" };
  const page = plainPage({ title: "Another address", message: refusal.message, link }, null);
  app.addHook("onRequest", (request, reply, done) => {
    if (isKnown(request.raw, known)) return done();
    reply.code(statusOf[refusal.code]).headers({ "cache-control": "no-store", vary: "accept", connection: "close" });
    if (request.headers.accept?.includes("text/html")) {
      reply.type("text/html; charset=utf-8").header("content-security-policy", plainPagePolicy).send(page);
    } else {
      reply.type("application/problem+json; charset=utf-8").send(JSON.stringify(problemOf(refusal, request.id)));
    }
  });
}

function isKnown(request: IncomingMessage, known: ReadonlySet<string>): boolean {
  const { host } = request.headers;
  const url = request.url ?? "/";
  // A request in absolute form names the host a second time.
  if (!url.startsWith("/") && url !== "*") {
    if (!URL.canParse(url) || !known.has(new URL(url).host)) return false;
  }
  // Some HTTP/1.0 probes send no Host.
  if (host === undefined) return /^\/(healthz|readyz)(\?|$)/.test(url);
  const { localAddress, localPort } = request.socket;
  return known.has(host.toLowerCase()) || host === hostOf(localAddress ?? "", localPort ?? 0);
}

function hostsOf({ publicUrl, host, port }: Addresses): ReadonlySet<string> {
  const { protocol, host: publicHost, hostname, port: publicPort } = new URL(publicUrl);
  const standard = protocol === "https:" ? 443 : 80;
  const listening = ["localhost", "127.0.0.1", "::1", host].map((name) => hostOf(name.toLowerCase(), port));
  return new Set([
    publicHost,
    ...(publicPort === "" ? [`${hostname}:${standard}`] : []),
    ...listening,
    ...(port === 80 ? listening.map((name) => name.replace(/:80$/, "")) : []),
  ]);
}

function hostOf(address: string, port: number): string {
  const bare = address.replace(/^::ffff:(?=\d+\.)/, "");
  return `${isIPv6(bare) ? `[${bare}]` : bare}:${port}`;
}
