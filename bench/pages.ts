// node bench/pages.ts [URL of another demo]: what the pages for students cost a phone.
//
// Opens each page in new browser contexts, with Lighthouse's figures for a phone: a processor of a quarter of this
// speed, replies after 150 ms, 1.6 Mbit/s. Prints the median of five rounds. Another build's demo is measured in turns
// with this one.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { chromiumPath } from "#test/chromium.ts";
import { freePort } from "#test/free-port.ts";
import { Visitor } from "#test/visitor.ts";
import { openDatabase } from "./database.ts";
import { startProgram } from "./programs.ts";
import { median } from "./report.ts";

const rounds = 5;
const phone = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
const line = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
/** Work that a page does later than this after its last request counts as its user's. */
const restMs = 2000;

const lifetime = "/checkout?tier=vip&priceId=vip_lifetime&name=Lifetime%20Access&price=1497";
const pages: readonly (readonly [email: string, path: string])[] = [
  ["basic@academy.test", "/dashboard"],
  ["basic@academy.test", "/course-access"],
  ["vip@academy.test", "/coaching"],
  ["vip@academy.test", "/profile"],
  ["basic@academy.test", "/membership"],
  ["basic@academy.test", lifetime],
];

/** Runs in the page: the last largest paint, and the parts of tasks after the first paint that exceed 50 ms. */
const watcher = `
  globalThis.seen = { lcpMs: 0, blockingMs: 0 };
  const watch = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch("largest-contentful-paint", ({ startTime }) => {
    seen.lcpMs = startTime;
  });
  watch("longtask", ({ startTime, duration }) => {
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    if (paint && startTime + duration > paint.startTime) seen.blockingMs += Math.max(0, duration - 50);
  });
`;

interface Cost {
  /** After compression. */
  scriptBytes: number;
  scriptFiles: number;
  scriptMs: number;
  blockingMs: number;
  lcpMs: number;
}

const dataDir = await mkdtemp(join(tmpdir(), "academy-bench-"));
const database = await openDatabase(dataDir);
const port = await freePort();
const origin = `http://localhost:${port}`;
const env = { ...database.env, PORT: String(port), PUBLIC_URL: origin, DATA_DIR: dataDir, DEMO_HISTORY: "none" };
const academy = await startProgram(["scripts/start.mjs"], env);
const browser = await chromium.launch({ executablePath: await chromiumPath() });
try {
  for (const [email, path] of pages) await compare(email, path, [origin, ...process.argv.slice(2)]);
} finally {
  await browser.close();
  await academy.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
}

async function compare(email: string, path: string, origins: readonly string[]): Promise<void> {
  const visitors = await Promise.all(origins.map((each) => new Visitor(each).signInAsDemo(email)));
  const costs = origins.map((): Cost[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [at, each] of origins.entries())
      costs[at]?.push(await costOf(browser, visitors[at] ?? new Visitor(each), each + path));
  for (const [at, each] of origins.entries()) {
    const of = (part: keyof Cost) => Math.round(median((costs[at] ?? []).map((cost) => cost[part])));
    const files = `${(of("scriptBytes") / 1000).toFixed(1)} kB in ${of("scriptFiles")} files`.padStart(20);
    const times = `scripts ${of("scriptMs")} ms, blocking ${of("blockingMs")} ms, LCP ${of("lcpMs")} ms`;
    console.log(`${path.replace(/\?.*/, "").padEnd(16)}${files}   ${times}${at > 0 ? `   (${each})` : ""}`);
  }
}

async function costOf(browser: Browser, visitor: Visitor, url: string): Promise<Cost> {
  const context = await browser.newContext(phone);
  try {
    const cookies = [...visitor.cookies].map(([name, { value, path }]) => ({ name, value, domain: "localhost", path }));
    await context.addCookies(cookies);
    const page = await context.newPage();
    let [scriptBytes, scriptFiles] = [0, 0];
    page.on("response", (response) => {
      if (response.request().resourceType() !== "script") return;
      scriptBytes += Number(response.headers()["content-length"] ?? 0);
      scriptFiles += 1;
    });
    const times = await timesOf(page, url);
    return { scriptBytes, scriptFiles, ...times };
  } finally {
    await context.close();
  }
}

async function timesOf(page: Page, url: string) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", line);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.addInitScript({ content: watcher });
  await page.goto(url, { waitUntil: "networkidle" });
  await page.waitForTimeout(restMs);
  const { metrics } = await devtools.send("Performance.getMetrics");
  const scriptMs = (metrics.find(({ name }) => name === "ScriptDuration")?.value ?? 0) * 1000;
  const seen = (await page.evaluate("seen")) as Pick<Cost, "lcpMs" | "blockingMs">;
  return { scriptMs, ...seen };
}
