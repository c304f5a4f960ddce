import { BlockList, isIPv4, isIPv6 } from "node:net";
import { canonicalAddress, type ProxyTrust } from "./client.ts";

export const trustNobody: ProxyTrust = () => false;

const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

const maxHops = 10;
/** Prefix lengths; a larger network contains more strangers than proxies. */
const widest = { v4: 8, v6: 7 };

/** Null for a text that cannot be read, and for networks so large that they contain strangers. */
export function readTrustedProxies(text: string): ProxyTrust | null {
  if (/^\d+$/.test(text)) {
    const hops = Number(text);
    return /^[1-9]\d?$/.test(text) && hops <= maxHops ? (_address, hop) => hop < hops : null;
  }
  const networks = new BlockList();
  for (const entry of text.split(",").map((part) => part.trim())) {
    for (const network of named[entry] ?? [entry]) if (!addNetwork(networks, network)) return null;
  }
  return (written) => {
    const address = canonicalAddress(written);
    return address !== null && networks.check(address, isIPv4(address) ? "ipv4" : "ipv6");
  };
}

function addNetwork(networks: BlockList, network: string): boolean {
  const [address = "", bits, ...more] = network.split("/");
  if (more.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return false;
  if (isIPv4(address)) {
    const prefix = Number(bits ?? 32);
    if (prefix < widest.v4 || prefix > 32) return false;
    networks.addSubnet(address, prefix, "ipv4");
    return true;
  }
  if (!isIPv6(address)) return false;
  const prefix = Number(bits ?? 128);
  const canonical = canonicalAddress(address) ?? "";
  // An IPv4-mapped network counts as its IPv4 network; a prefix shorter than /96 would contain every IPv4 address.
  if (isIPv4(canonical)) return prefix >= 96 && addNetwork(networks, `${canonical}/${prefix - 96}`);
  if (prefix < widest.v6 || prefix > 128) return false;
  networks.addSubnet(address, prefix, "ipv6");
  return true;
}
