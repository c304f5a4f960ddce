import { expect, test } from "vitest";
import { leadsToCheckout, type PageRequest, stepsOf } from "./rules.ts";

const browser =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36";
const opened = (path: string, query = {}, headers = {}, method = "GET"): PageRequest => ({
  ...{ method, path, query },
  headers: { "user-agent": browser, "sec-fetch-dest": "document", ...headers },
});

test("the landing page counts, and a page that carries a plan", () => {
  expect(stepsOf(opened("/"))).toEqual(["landing"]);
  expect(stepsOf(opened("/", { tier: "vip" }))).toEqual(["landing"]);
  expect(stepsOf(opened("/", { tier: "vip", signup: "true" }))).toEqual(["landing", "plan"]);
  for (const path of ["/signup", "/checkout", "/authorize-checkout"]) {
    expect(stepsOf(opened(path, { tier: "basic" })), path).toEqual(["plan"]);
    expect(stepsOf(opened(path)), path).toEqual([]);
  }
  expect(stepsOf(opened("/contact", { tier: "basic" }))).toEqual([]);
});

test("the browsers that people use count", () => {
  const browsers = [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0",
    "Mozilla/5.0 (Linux; Android 15; CUBOT X90) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36",
  ];
  for (const userAgent of browsers) expect(stepsOf(opened("/", {}, { "user-agent": userAgent }))).toEqual(["landing"]);
});

test("robots, pages fetched ahead of time, frames and other methods count nothing", () => {
  const robots = [
    ...["", "Googlebot/2.1 (+http://www.google.com/bot.html)", "curl/8.14.1", "facebookexternalhit/1.1"],
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/150.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Linux; Android 11; moto g power) AppleWebKit/537.36 Chrome/150.0.0.0 Mobile Safari/537.36 Chrome-Lighthouse",
  ];
  for (const robot of robots) expect(stepsOf(opened("/", {}, { "user-agent": robot })), robot).toEqual([]);
  expect(stepsOf(opened("/", {}, { "user-agent": undefined }))).toEqual([]);
  expect(stepsOf(opened("/", {}, { "sec-purpose": "prefetch;prerender" }))).toEqual([]);
  expect(stepsOf(opened("/", {}, { purpose: "prefetch" }))).toEqual([]);
  expect(stepsOf(opened("/", {}, { "sec-fetch-dest": "iframe" }))).toEqual([]);
  expect(stepsOf(opened("/", {}, {}, "HEAD"))).toEqual([]);
  expect(stepsOf(opened("/", {}, { "sec-fetch-dest": undefined }))).toEqual(["landing"]);
});

test("a sign-in leads to the checkout by its path alone", () => {
  expect(leadsToCheckout("/checkout?tier=vip")).toBe(true);
  expect(leadsToCheckout("/authorize-checkout")).toBe(true);
  expect(leadsToCheckout("/dashboard?next=/checkout")).toBe(false);
  expect(leadsToCheckout("/checkouts")).toBe(false);
});
