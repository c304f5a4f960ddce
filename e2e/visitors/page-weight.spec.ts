import { brotliCompressSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { pages } from "#app/routes.ts";
import { become, expect, expectLive, holdBack, test } from "../academy.ts";
import { coverOf } from "../video.ts";

const publicPages = [
  "/",
  "/signup",
  "/demo-dashboard",
  "/contact",
  "/privacy-policy",
  "/terms-of-service",
  "/sitemap",
  "/no/such/page",
];

/**
 * The most bytes of HTML with styles after brotli: half of what a server can send in its first two round trips. Astro's
 * hashes differ from build to build, and with them a page by up to 50 bytes, so a close budget is 2 % above the page.
 */
const budget = 16_000;
/** These are longer: the first draws the product and compares the plans, and one contains the course as data. */
const budgets: Record<string, number> = {
  "/": 29_600,
  "/contact": 16_600,
  "/demo-dashboard": 22_150,
  "/privacy-policy": 17_300,
  "/terms-of-service": 16_500,
};

test("the HTML of every public page, styles included, stays within its budget", async ({ academy }) => {
  const sizes: Record<string, number> = {};
  for (const path of publicPages) {
    const html = await (await fetch(academy.url + path)).text();
    sizes[path] = brotliCompressSync(html).length;
    expect.soft(sizes[path], path).toBeLessThanOrEqual(budgets[path] ?? budget);
  }
  // The server compresses its first reply fast, a tenth larger, and later ones as well as possible.
  const sent = async () => {
    const { headers } = await fetch(academy.url, { method: "HEAD", headers: { "accept-encoding": "br" } });
    return Number(headers.get("content-length"));
  };
  await expect.poll(sent).toBeLessThan(1.02 * (sizes["/"] ?? 0));
});

test("public pages have the rules of all their components, and fonts, images and scripts shift nothing", async ({
  page,
  context,
}) => {
  await context.addInitScript(() => {
    let sum = 0;
    const add = (entries: PerformanceEntryList) => {
      for (const entry of entries) sum += (entry as PerformanceEntry & { value: number }).value;
    };
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    const shifted = () => {
      add(observer.takeRecords());
      return sum;
    };
    Object.assign(window, { shifted });
  });
  await page.goto("/robots.txt");
  const hasStandIn = await page.evaluate(() =>
    new FontFace("stand-in", 'local("Arial"), local("Liberation Sans"), local("Helvetica"), local("Roboto")')
      .load()
      .then(() => true)
      .catch(() => false),
  );
  expect(hasStandIn, "This machine has no font that stands in for ours: apt install fonts-liberation").toBe(true);
  const onPhones = publicPages.map((path) => [path, 390] as const);
  // The others have a single column in any window.
  const inWideWindows = ["/", "/signup", "/demo-dashboard", "/contact"].map((path) => [path, 1440] as const);
  const expectNoShift = async (path: string, width: number) => {
    const page = await context.newPage();
    await page.setViewportSize({ width, height: 900 });
    // The fonts load late, after everything else has been painted.
    const letCome = await holdBack(page, "**/*.woff2");
    await page.goto(path, { waitUntil: "domcontentloaded" });
    await expectLive(page);
    letCome();
    await page.waitForFunction(() =>
      [...document.fonts].some(({ family, status }) => family.includes("Archivo Variable") && status === "loaded"),
    );
    await page.waitForLoadState("networkidle");
    // A shift is recorded with the frame that shows it.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
    );
    const shifted = await page.evaluate(() => (window as unknown as { shifted: () => number }).shifted());
    expect(shifted, `${path} at ${width}`).toBeLessThanOrEqual(0.01);
    if (width === 390) expect(await missingRules(page), path).toEqual([]);
    await page.close();
  };
  // All at once, because each waits until nothing has been loaded for half a second.
  await Promise.all([...onPhones, ...inWideWindows].map(([path, width]) => expectNoShift(path, width)));
  for (const tab of ["progress", "resources"]) {
    await page.goto(`/demo-dashboard?tab=${tab}`);
    await expectLive(page);
    expect(await missingRules(page), tab).toEqual([]);
  }
});

/** The classes on a public page that the app's style sheet has rules for, but the page's own has not. */
function missingRules(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const unescaped = (name: string) =>
      name.replaceAll(/\\(?:([0-9a-f]{1,6}) ?|(.))/g, (_, code: string | undefined, sign: string) =>
        code ? String.fromCodePoint(Number.parseInt(code, 16)) : sign,
      );
    const classesIn = (rules: CSSRuleList, found = new Set<string>()) => {
      for (const rule of rules) {
        const selector = rule instanceof CSSStyleRule ? rule.selectorText : "";
        for (const [, name = ""] of selector.matchAll(/\.((?:\\.|[\w-])+)/g)) found.add(unescaped(name));
        if (rule instanceof CSSGroupingRule || rule instanceof CSSStyleRule) classesIn(rule.cssRules, found);
      }
      return found;
    };
    const shell = await (await fetch("/dashboard")).text();
    const [, address = ""] = /href="(\/assets\/[^"]+\.css)"/.exec(shell) ?? [];
    const sheet = await new CSSStyleSheet().replace(await (await fetch(address)).text());
    const application = classesIn(sheet.cssRules);
    const own = new Set([...document.styleSheets].flatMap(({ cssRules }) => [...classesIn(cssRules)]));
    const used = new Set([...document.querySelectorAll("[class]")].flatMap(({ classList }) => [...classList]));
    if (application.size < 500 || own.size < 50) throw new Error("The style sheets were not read.");
    return [...used].filter((name) => application.has(name) && !own.has(name));
  });
}

test("the landing page loads no script file by itself, and has little inline script", async ({ academy }) => {
  const html = await (await fetch(`${academy.url}/`)).text();
  expect(html).not.toMatch(/<script[^>]* src=|modulepreload/);
  const scripts = [...html.matchAll(/<script(?: type="module")?>(.*?)<\/script>/gs)].map(([, code = ""]) => code);
  expect(scripts.length).toBeGreaterThan(2);
  expect(brotliCompressSync(scripts.join("")).length).toBeLessThanOrEqual(3_500);
});

/** The most bytes of scripts after brotli, and the most files, that pages load before anybody touches them. */
type ScriptBudgets = Record<string, readonly [bytes: number, files: number]>;
const visitorScripts: ScriptBudgets = {
  "/contact": [15_000, 12],
  "/signup?tier=premium&priceId=premium_annual&price=397": [0, 0],
};
// With the days on which lessons were checked, and the marks of those that changed.
const studentScripts: ScriptBudgets = {
  "/dashboard": [138_000, 13],
  "/course-access": [146_750, 17],
  "/coaching": [147_300, 20],
  "/profile": [142_000, 22],
  "/membership": [134_750, 14],
};

test("pages load few scripts before a press, and the player only with one", async ({ academy, context }) => {
  const load = async (path: string, [bytes, files]: readonly [number, number]) => {
    const page = await context.newPage();
    const sizes: number[] = [];
    const sum = () => sizes.reduce((sum, size) => sum + size, 0);
    page.on("response", (response) => {
      if (response.request().resourceType() === "script") sizes.push(Number(response.headers()["content-length"]));
    });
    // The screen of Lighthouse's phone.
    await page.setViewportSize({ width: 412, height: 823 });
    await page.goto(path, { waitUntil: "networkidle" });
    expect.soft(sum(), path).toBeLessThanOrEqual(bytes);
    expect.soft(sizes.length, path).toBeLessThanOrEqual(files);
    if (path === "/dashboard") {
      await page.setViewportSize({ width: 390, height: 664 });
      await expect(coverOf(page)).toBeInViewport({ ratio: 1 });
      await expectLive(page);
      const before = sum();
      await coverOf(page).focus();
      await expect.poll(sum).toBeGreaterThan(before + 20_000);
    }
    await page.close();
  };
  await Promise.all(Object.entries(visitorScripts).map((entry) => load(...entry)));
  await become(context, await academy.buyer("basic"));
  await Promise.all(Object.entries(studentScripts).map((entry) => load(...entry)));
});

/** The bytes after brotli, and the number, of the scripts and the style sheet that a document of the app loads by itself. */
const applicationBudgets = {
  "/checkout": [139_800, 11],
  "/admin/content": [243_000, 30],
  "/admin/team": [221_000, 22],
} as const;

test("scripts and style sheet of the app's documents stay within their budgets", async ({ academy }) => {
  for (const [path, [most, mostFiles]] of Object.entries(applicationBudgets)) {
    const html = await (await fetch(academy.url + path)).text();
    const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, file = ""]) => file);
    expect(files.length).toBeGreaterThan(5);
    expect(files.length, path).toBeLessThanOrEqual(mostFiles);
    const size = async (file: string) => {
      const { headers } = await fetch(academy.url + file, { headers: { "accept-encoding": "br" } });
      expect(headers.get("content-encoding") ?? "br", file).toBe("br");
      return Number(headers.get("content-length"));
    };
    const sizes = await Promise.all(files.map(size));
    expect(
      sizes.reduce((sum, bytes) => sum + bytes, 0),
      path,
    ).toBeLessThanOrEqual(most);
  }
});

test("only pages of administrators and coaches load the schema library", async ({ academy }) => {
  const read = async (path: string) => (await fetch(academy.url + path)).text();
  const loadSchemas = new Map<string, Promise<boolean>>();
  for (const { path } of pages.filter(({ path }) => !path.includes(":"))) {
    const files = [...(await read(path)).matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(
      ([, file = ""]) => file,
    );
    for (const file of files) {
      if (!loadSchemas.has(file))
        loadSchemas.set(
          file,
          read(file).then((script) => script.includes("_zod")),
        );
    }
    const found = (await Promise.all(files.map((file) => loadSchemas.get(file)))).includes(true);
    if (!/^\/(admin|coach\b)/.test(path)) expect(found, path).toBe(false);
    if (path === "/admin/coupons") expect(found, path).toBe(true);
  }
});
