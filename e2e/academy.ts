import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type BrowserContext, test as base, expect, type Locator, type Page } from "@playwright/test";
import type axe from "axe-core";
import { type Academies, openAcademies } from "#test/academies.ts";
import type { RunningAcademy } from "#test/academy.ts";
import type { Visitor } from "#test/visitor.ts";

/**
 * A test in an academy that all tests of a worker share, one after another. Relative URLs lead to the academy. The test
 * must create the users whom it changes.
 */
export const test = base.extend<{ baseURL: string }, { academies: Academies; academy: RunningAcademy }>({
  academies: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires an object pattern here
    async ({}, use) => {
      await using academies = openAcademies();
      await use(academies);
    },
    { scope: "worker" },
  ],
  academy: [
    async ({ academies }, use) => {
      await using academy = await academies.open();
      await use(academy);
    },
    { scope: "worker" },
  ],
  baseURL: async ({ academy }, use) => use(urlOf(academy)),
});

/** The academy of the running test. A worker runs one test at a time. */
let current: RunningAcademy | undefined;

function urlOf(academy: RunningAcademy): string {
  current = academy;
  return academy.url;
}

/**
 * A test with its own academy and `environment`: for tests that change the clock, the course, the ledger or demo
 * accounts, or need other settings.
 */
export const testAlone = test.extend<{ environment: Record<string, string>; ownAcademy: RunningAcademy }>({
  environment: [{}, { option: true }],
  ownAcademy: async ({ academies, environment }, use) => {
    await using academy = await academies.open(environment);
    await use(academy);
  },
  baseURL: async ({ ownAcademy }, use) => use(urlOf(ownAcademy)),
});

export { expect };

/** Gives the browser the session of another visitor. */
export async function become(context: BrowserContext, visitor: Visitor): Promise<void> {
  await context.clearCookies();
  const cookies = [...visitor.cookies].map(([name, { value, path }]) => ({ name, value, domain: "localhost", path }));
  await context.addCookies(cookies);
}

/** Signs the browser in as a visitor or a demo account, without the pages of the issuer, and opens `returnTo`. */
export async function signInAs(page: Page, who: Visitor | string, returnTo = "/dashboard"): Promise<void> {
  if (!current) throw new Error("signInAs needs a page of the test's academy");
  // The page before it would ask without a session, and log the refusal.
  if (page.url() !== "about:blank") await page.goto("about:blank");
  await become(page.context(), typeof who === "string" ? await current.visitor().signInAsDemo(who) : who);
  await page.goto(returnTo);
}

/**
 * Waits until the page's scripts run and its idle islands are hydrated. Until then links and disclosures work natively,
 * and no script handles keys.
 */
export async function expectLive(page: Page): Promise<void> {
  await expect(page.locator("html[data-live]")).toHaveCount(1);
  await expect(page.locator("astro-island[ssr][opts*=idle]")).toHaveCount(0);
}

/** Presses the key this many times, and expects that this bar never hides what has the focus. */
export async function expectFocusVisible(page: Page, bar: Locator, times: number, key = "Tab"): Promise<void> {
  const hidden = () =>
    bar.evaluate((bar) => {
      const focused = document.activeElement;
      if (!focused || bar.contains(focused)) return "";
      const [one, other] = [focused.getBoundingClientRect(), bar.getBoundingClientRect()];
      return one.bottom > other.top && one.top < other.bottom ? focused.outerHTML : "";
    });
  for (let at = 0; at < times; at++) {
    await page.keyboard.press(key);
    await expect.poll(hidden, { timeout: 10_000 }).toBe("");
  }
}

/** Sends documents without the replies to their first calls, so that pages ask themselves and a test can intercept it. */
export async function sendWithoutReplies(page: Page): Promise<void> {
  await page.route(/\/(dashboard|course-access|coaching|profile|membership)(\?.*)?$/, async (route) => {
    if (route.request().resourceType() !== "document") return route.fallback();
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({ response, body: html.replace(/<script[^>]* id="seeds">.*?<\/script>/s, "") });
  });
}

/** Holds these requests back. Resolves to a function that lets them go. */
export async function holdBack(page: Page, address: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Waits for two frames, after which a change of the window or of the page's content is drawn. */
export function drawn(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

/** The axe rules whose results depend on the colour scheme. */
const colourRules = ["color-contrast", "link-in-text-block"];

/**
 * Expects no violation of any axe rule, or of `rules`, in the page's own document. Its frames are emails, previews and
 * players of other services. Disables motion and waits two frames first, because the contrast of a fading toast is that
 * of neither state.
 */
export async function expectAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  // What is far down the landing page is otherwise laid out during the scan, when the browser is idle.
  await page.evaluate(() => document.documentElement.toggleAttribute("data-whole", true));
  await drawn(page);
  if (!(await page.evaluate(() => "axe" in window))) await loadAxe(page);
  const first = await violationsOf(page, rules);
  // A part that arrives during a scan is seen half in its old state and half in its new one, so a failure is scanned again.
  expect(first.length === 0 ? first : await violationsOf(page, rules)).toEqual([]);
}

// The results name elements by selectors, so axe need not copy their HTML.
const axeSource = `${readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8")}
axe.configure({ noHtml: true });`;

/** As a script and not by eval, so that the browser need not compile it again for the next document. */
async function loadAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: axeSource });
  await session.detach();
}

function violationsOf(page: Page, rules?: readonly string[]) {
  return page.evaluate(
    async (options) => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(options);
      return violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target.join(" ")) }));
    },
    { resultTypes: ["violations"], iframes: false, ...(rules && { runOnly: [...rules] }) } satisfies axe.RunOptions,
  );
}

/** The same in both colour schemes, which only differ in colours. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForFunction(() => matchMedia("(prefers-color-scheme: dark)").matches);
  await expectAccessible(page, colourRules);
  await page.emulateMedia({ colorScheme: "light" });
}
