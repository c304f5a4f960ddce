import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";
import type { FastifyRequest } from "fastify";

/** The first hop is 0. A connection that its client has reset has no address. */
export type ProxyTrust = (address: string | undefined, hop: number) => boolean;

export interface Client {
  readonly address: string;
  /** The key for limits: an IPv4 address or an IPv6 /64, as one customer has all addresses of a /64. */
  readonly key: string;
}

/** The client of a request: behind trusted proxies the address that the outermost one saw. */
export function clientOf(request: FastifyRequest): Client {
  return clientAt(request.ip);
}

/** As `clientOf`, before the router. */
export function clientOfRaw(request: IncomingMessage, isTrusted: ProxyTrust): Client & { readonly proxies: number } {
  const addresses = forwardedChain(request);
  const outermost = addresses.findIndex((address, hop) => !isTrusted(address, hop));
  const proxies = outermost === -1 ? addresses.length - 1 : outermost;
  return { ...clientAt(addresses[proxies] ?? ""), proxies };
}

export function forwardedChain(request: IncomingMessage): string[] {
  const forwarded = String(request.headers["x-forwarded-for"] ?? "")
    .split(",")
    .reverse();
  const named = [request.socket.remoteAddress ?? "", ...forwarded.filter((part) => part.trim() !== "")];
  return named.map((written) => canonicalAddress(written) ?? "unknown");
}

const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ["10.0.0.0", 8],
  ["127.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["100.64.0.0", 10],
  ["169.254.0.0", 16],
] as const) {
  privateNetworks.addSubnet(network, prefix, "ipv4");
}
privateNetworks.addAddress("::1", "ipv6");
privateNetworks.addSubnet("fc00::", 7, "ipv6");
privateNetworks.addSubnet("fe80::", 10, "ipv6");

export function isPrivateAddress(address: string): boolean {
  return isIP(address) !== 0 && privateNetworks.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}

/** Everything that is no address shares one key, so that nobody gets another count by inventing addresses. */
export function clientAt(written: string | undefined): Client {
  const address = canonicalAddress(written);
  if (address === null) return { address: "unknown", key: "unknown" };
  return { address, key: isIPv4(address) ? address : `${groupsOf(address).slice(0, 4).join(":")}::/64` };
}

/** The address in canonical form, without the port that some proxies add; null for anything else. */
export function canonicalAddress(written: string | undefined): string | null {
  const withoutPort = (written ?? "").trim().replace(/^\[([^\]]*)\](:\d+)?$/, "$1");
  const bare = /^[\d.]+:\d+$/.test(withoutPort) ? withoutPort.replace(/:\d+$/, "") : withoutPort.replace(/%.*$/, "");
  if (isIP(bare) === 0) return null;
  if (isIPv4(bare)) return bare;
  const groups = groupsOf(bare);
  if (!/^0:0:0:0:0:ffff:/.test(groups.join(":"))) return groups.join(":");
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function groupsOf(address: string): string[] {
  const short = isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
  const [front = "", back] = short.split("::");
  const head = front.split(":").filter(Boolean);
  const tail = (back ?? "").split(":").filter(Boolean);
  return [...head, ...Array<string>(back === undefined ? 0 : 8 - head.length - tail.length).fill("0"), ...tail];
}
