import { expect, test } from "vitest";
import { judgeProxies } from "./proxy-check.ts";

const lie = "192.0.2.77";
const visitor = "203.0.113.7";

test.each([
  ["one proxy that adds", "1", { address: visitor, proxies: 1, chain: ["10.0.0.1", visitor, lie] }],
  ["one proxy that sets anew", "10.0.0.1", { address: visitor, proxies: 1, chain: ["10.0.0.1", visitor] }],
  ["two proxies", "2", { address: visitor, proxies: 2, chain: ["10.0.0.1", "10.0.0.2", visitor, lie] }],
  ["the proxy's own machine", "10.0.0.0/8", { address: lie, proxies: 2, chain: ["10.0.0.1", "10.0.0.9", lie] }],
])("the doctor is content with %s", (_what, trustProxy, answer) => {
  expect(judgeProxies(answer, trustProxy)).toMatch(/^(visitors are told apart|names the proxies)/);
});

test.each([
  [
    "too many hops",
    "2",
    { address: lie, proxies: 2, chain: ["10.0.0.1", visitor, lie] },
    /^Visitors are believed .* only 1 stand in a row\.$/,
  ],
  [
    "too wide a network",
    "203.0.113.0/24, 10.0.0.1",
    { address: lie, proxies: 2, chain: ["10.0.0.1", visitor, lie] },
    /^Visitors are believed .* it names 203\.0\.113\.7, which is no proxy\.$/,
  ],
  [
    "too few hops",
    "1",
    { address: "10.0.0.2", proxies: 1, chain: ["10.0.0.1", "10.0.0.2", visitor, lie] },
    /^All visitors look like 10\.0\.0\.2 .* 2 proxies stand in a row\.$/,
  ],
  [
    "another proxy's name",
    "10.9.9.9",
    { address: "10.0.0.1", proxies: 0, chain: ["10.0.0.1", visitor] },
    /^All visitors look like 10\.0\.0\.1 .* it does not name the proxy 10\.0\.0\.1\.$/,
  ],
  [
    "a proxy that is silent",
    "1",
    { address: "10.0.0.1", proxies: 0, chain: ["10.0.0.1"] },
    /^No proxy says who visitors are/,
  ],
  ["no proxy at all", "1", { address: lie, proxies: 1, chain: [visitor, lie] }, /^No proxy says who visitors are/],
])("the doctor complains about %s [H06]", (_what, trustProxy, answer, complaint) => {
  expect(() => judgeProxies(answer, trustProxy)).toThrow(complaint);
});
