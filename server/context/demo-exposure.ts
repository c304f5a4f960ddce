import { BlockList, isIPv4, isIPv6 } from "node:net";

interface DemoStart {
  readonly host: string;
  readonly publicUrl: string | undefined;
  readonly isPublic: boolean;
  readonly gatewayEnvironment: string | undefined;
  readonly gatewayAddresses: readonly (string | undefined)[];
}

/**
 * Anybody who reaches a demo can read its mailbox and sign in as administrator.
 * @returns a sentence for each reason not to start it
 */
export function refuseDemo(start: DemoStart): string[] {
  const { host, publicUrl, isPublic, gatewayEnvironment, gatewayAddresses } = start;
  const isLive = gatewayEnvironment === "production" || gatewayAddresses.some((one) => one && isLiveGateway(one));
  const isElsewhere = publicUrl !== undefined && !isOnThisMachine(publicUrl);
  return [
    ...(isLive
      ? ["AUTHORIZE_NET_* name the live gateway, and a demo never charges real cards: set MODE=production."]
      : []),
    ...(isElsewhere && !isPublic ? [`PUBLIC_URL ${publicUrl} ${forStrangers}.`] : []),
    ...(isLoopback(host) || isPublic ? [] : [`HOST ${host} ${forStrangers}.`]),
  ];
}

function isOnThisMachine(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && isLoopback(hostname);
}

const forStrangers =
  "lets strangers into a demo, where everybody is an administrator: set MODE=production, or DEMO_IS_PUBLIC=yes if that is wanted";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether the host is a loopback address, in any notation. @internal */
export function isLoopback(host: string): boolean {
  const written = isIPv6(host) ? `[${host}]` : host;
  if (!URL.canParse(`http://${written}/`)) return false;
  const url = new URL(`http://${written}/`);
  // A port, or a name before an @, is no host.
  if (url.host !== url.hostname || url.username || url.password || url.pathname !== "/") return false;
  const name = url.hostname.replace(/^\[|\]$/g, "");
  if (isIPv4(name)) return loopback.check(name, "ipv4");
  if (isIPv6(name)) return loopback.check(name, "ipv6");
  return /^([^.]+\.)*localhost\.?$/.test(name);
}

/** @internal */
export function isLiveGateway(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const name = new URL(address).hostname.replace(/\.$/, "");
  return /(^|\.)authorize(\.net|net\.com)$/.test(name) && !/^(apitest|jstest|test|sandbox)\./.test(name);
}
