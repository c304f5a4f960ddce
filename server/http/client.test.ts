import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { clientAt, clientOfRaw, isPrivateAddress } from "./client.ts";
import { readTrustedProxies } from "./trusted-proxies.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["203.0.113.7:4711", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::FFFF:cb00:7107", "203.0.113.7"],
  ["0:0:0:0:0:ffff:203.0.113.7", "203.0.113.7"],
  ["::1", "0:0:0:0::/64"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["[2001:db8::1]:4711", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["unknown", "unknown"],
  ["", "unknown"],
  ["203.0.113.7 ", "203.0.113.7"],
  ["203.0.113.700", "unknown"],
  ["3405803783", "unknown"],
])("the client at %s counts as %s [H06]", (address, key) => {
  expect(clientAt(address).key).toBe(key);
});

test("all addresses of a /64 are one client, and the next /64 is another [H06]", () => {
  expect(clientAt("2001:db8:1:2::1").key).toBe(clientAt("2001:db8:1:2:ffff:ffff:ffff:ffff").key);
  expect(clientAt("2001:db8:1:3::1").key).not.toBe(clientAt("2001:db8:1:2::1").key);
});

test.each([
  ...["true", "false", "0", "1.0", "01", "1e1", "-1", "11", "*", "all", "10.0.0.1,", "10.0.0.1 10.0.0.2"],
  ...["2130706433", "0.0.0.0/0", "::/0", "::ffff:0:0/96", "::ffff:0.0.0.0/97", "128.0.0.0/1", "2000::/3"],
  ...["10.0.0.0/33", "10.0.0.0/8/8", "10.0.0.0/255.0.0.0", "proxy.example"],
])("TRUST_PROXY=%s names no proxies", (text) => {
  expect(readTrustedProxies(text)).toBeNull();
});

const asked = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } }) as unknown as IncomingMessage;

test.each([
  // Anybody who is connected is no proxy of ours: what they say about themselves counts for nothing.
  ["10.0.0.0/8", "198.51.100.1", "203.0.113.7", "198.51.100.1", 0],
  ["10.0.0.0/8", "10.0.0.1", "203.0.113.7", "203.0.113.7", 1],
  ["10.0.0.0/8", "::ffff:10.0.0.1", "203.0.113.7", "203.0.113.7", 1],
  ["10.0.0.0/8", "10.0.0.1", "198.51.100.1, 203.0.113.7", "203.0.113.7", 1],
  ["10.0.0.0/8, 192.0.2.1", "10.0.0.1", "198.51.100.1, 203.0.113.7, 192.0.2.1", "203.0.113.7", 2],
  ["loopback", "::1", "203.0.113.7", "203.0.113.7", 1],
  ["1", "10.0.0.1", "198.51.100.1, 203.0.113.7", "203.0.113.7", 1],
  ["2", "10.0.0.1", "198.51.100.1, 203.0.113.7, 192.0.2.1", "203.0.113.7", 2],
  ["1", "10.0.0.1", undefined, "10.0.0.1", 0],
  // A request of a proxy itself: nobody stands before it.
  ["10.0.0.0/8", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3", 2],
  ["2001:db8::/32", "2001:db8::1", "2001:db9::5", "2001:db9:0:0:0:0:0:5", 1],
])("behind TRUST_PROXY=%s a request of %s for %s is of %s [H06]", (trust, peer, forwarded, address, proxies) => {
  const isTrusted = readTrustedProxies(trust);
  expect(isTrusted && clientOfRaw(asked(peer, forwarded), isTrusted)).toMatchObject({ address, proxies });
});

test("addresses that are not routed publicly are private", () => {
  const own = ["10.1.2.3", "127.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1", "169.254.169.254"];
  expect([...own, "::1", "fd00::1", "fe80::1"].filter((address) => !isPrivateAddress(address))).toEqual([]);
  const others = ["172.32.0.1", "192.169.0.1", "100.128.0.1", "203.0.113.7", "2001:db8::1", "unknown"];
  expect(others.filter(isPrivateAddress)).toEqual([]);
});
