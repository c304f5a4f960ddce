import AxeBuilder from "@axe-core/playwright";
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import type { Tier } from "#contract/tiers.ts";
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
  baseURL: async ({ academy }, use) => use(academy.url),
});

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
  baseURL: async ({ ownAcademy }, use) => use(ownAcademy.url),
});

export { expect };

/** Gives the browser the session of another visitor. */
export async function become(context: BrowserContext, visitor: Visitor): Promise<void> {
  await context.clearCookies();
  const cookies = [...visitor.cookies].map(([name, { value, path }]) => ({ name, value, domain: "localhost", path }));
  await context.addCookies(cookies);
}

/** A new student who has bought a plan. */
export async function buyerOf(academy: RunningAcademy, tier: Tier): Promise<Visitor> {
  const student = await academy.visitor().signUp();
  const { status } = await student.call(acceptPayment, { body: await student.paymentFor(tier) });
  expect(status).toBe(200);
  return student;
}

/**
 * Signs in as a demo account and opens `returnTo`. Posts the form of the sign-in page without rendering it. Other tests
 * use the page itself.
 */
export async function signInAs(page: Page, email: string, returnTo = "/dashboard"): Promise<void> {
  const signIn = await page.request.get("/api/login");
  const [, demo = ""] = new RegExp(`value="([^"]+)">Continue as ${email}<`).exec(await signIn.text()) ?? [];
  const { origin } = new URL(signIn.url());
  const landed = await page.request.post(signIn.url(), { form: { demo }, headers: { origin } });
  expect(new URL(landed.url()).pathname).toBe("/dashboard");
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

/** Fills in the checkout's card form. ZIP 46282 is the gateway's published trigger for a decline. */
export async function fillCard(page: Page, zip = "90210"): Promise<void> {
  await page.getByLabel("Card Number").fill("4111111111111111");
  await page.getByLabel("Month").selectOption("12");
  await page.getByLabel("Year").selectOption(String(new Date().getFullYear() + 3));
  await page.getByLabel("CVV").fill("900");
  await page.getByLabel("ZIP Code").fill(zip);
}

/** The axe rules whose results depend on the colour scheme. */
export const colourRules = ["color-contrast", "link-in-text-block"];

/**
 * Expects no violation of any axe rule, or of `rules`. Disables motion and waits two frames first, because the contrast
 * of a fading toast is that of neither state.
 */
export async function expectAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))),
  );
  const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] });
  if (rules) axe.withRules([...rules]);
  // Merging the results of all frames in a blank page takes longer than all rules, so a single frame skips it.
  axe.setLegacyMode(page.frames().length === 1);
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => ({ id, targets: nodes.map((node) => node.target.join(" ")) }))).toEqual([]);
}

/** The same in both colour schemes, which only differ in colours. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page, colourRules);
  await page.emulateMedia({ colorScheme: "light" });
}
