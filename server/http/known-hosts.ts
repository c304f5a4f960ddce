import type { IncomingMessage, ServerResponse } from "node:http";
import { isIPv6 } from "node:net";
import { newId } from "#server/db/id.ts";
import { Refusal, statusOf } from "#server/refusal.ts";
import { plainPage, plainPagePolicy } from "./plain-page.ts";
import { problemOf } from "./problems.ts";

/** Where a server is found: its public address, and what it listens on. */
export interface Addresses {
  readonly publicUrl: string;
  readonly host: string;
  readonly port: number;
}

/**
 * Turns away every request whose Host is none of ours: a page of a stranger's name that leads to this machine would
 * otherwise read and press whatever a demo leaves open. Returns a function that says whether it did so.
 */
export function refuseOtherHosts(
  addresses: Addresses,
  headers: Readonly<Record<string, string>>,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const known = hostsOf(addresses);
  const { publicUrl } = addresses;
  const refusal = new Refusal("misdirected-request", `This demo answers at ${publicUrl} alone.`);
  const link = { href: publicUrl, text: "Go there" };
  const page = plainPage({ title: "Another address", message: refusal.message, link }, null);
  return (request, response) => {
    if (isKnown(request, known)) return false;
    const isForPerson = request.headers.accept?.includes("text/html");
    // The body that follows is read by nobody.
    response.writeHead(statusOf[refusal.code], {
      ...headers,
      "content-type": isForPerson ? "text/html; charset=utf-8" : "application/problem+json; charset=utf-8",
      ...(isForPerson && { "content-security-policy": plainPagePolicy }),
      "cache-control": "no-store",
      vary: "accept",
      connection: "close",
    });
    response.end(isForPerson ? page : JSON.stringify(problemOf(refusal, newId())));
    return true;
  };
}

function isKnown(request: IncomingMessage, known: ReadonlySet<string>): boolean {
  const { host } = request.headers;
  const url = request.url ?? "/";
  // A request to a proxy names the host a second time.
  if (!url.startsWith("/") && url !== "*") {
    if (!URL.canParse(url) || !known.has(new URL(url).host)) return false;
  }
  // Some probes of HTTP/1.0 leave it out.
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
