import AxeBuilder from "@axe-core/playwright";
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import type { Tier } from "#contract/tiers.ts";
import { type Academies, openAcademies } from "#test/academies.ts";
import type { RunningAcademy } from "#test/academy.ts";
import type { Visitor } from "#test/visitor.ts";

/**
 * A test in an academy that its worker's other tests use too, one after the other, with its pages under the academy's
 * address. It makes the people whom it changes.
 */
export const test = base.extend<{ baseURL: string }, { academies: Academies; academy: RunningAcademy }>({
  academies: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that one needs from this pattern
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
 * A test with an academy of its own, with `environment`: for what changes the clock, the course, the books or a demo
 * account, and for other settings.
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

/** The browser goes on with the session of another. */
export async function become(context: BrowserContext, visitor: Visitor): Promise<void> {
  await context.clearCookies();
  const cookies = [...visitor.cookies].map(([name, { value, path }]) => ({ name, value, domain: "localhost", path }));
  await context.addCookies(cookies);
}

/** A student who has just bought a plan. */
export async function buyerOf(academy: RunningAcademy, tier: Tier): Promise<Visitor> {
  const student = await academy.visitor().signUp();
  const { status } = await student.call(acceptPayment, { body: await student.paymentFor(tier) });
  expect(status).toBe(200);
  return student;
}

/**
 * Signs in as a demo account and opens `returnTo`. What the issuer's page sends at its one press is sent without showing
 * the page; other journeys press.
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
 * The page's scripts answer, and islands that come by themselves are hydrated: until then links and folds work as documents
 * do, and keys reach nobody.
 */
export async function expectLive(page: Page): Promise<void> {
  await expect(page.locator("html[data-live]")).toHaveCount(1);
  await expect(page.locator("astro-island[ssr][opts*=idle]")).toHaveCount(0);
}

/** Fills the card form of the checkout; `zip` 46282 is the gateway's published trigger for a decline. */
export async function fillCard(page: Page, zip = "90210"): Promise<void> {
  await page.getByLabel("Card Number").fill("4111111111111111");
  await page.getByLabel("Month").selectOption("12");
  await page.getByLabel("Year").selectOption(String(new Date().getFullYear() + 3));
  await page.getByLabel("CVV").fill("900");
  await page.getByLabel("ZIP Code").fill(zip);
}

/** The rules of axe that the colour scheme can change. */
export const colourRules = ["color-contrast", "link-in-text-block"];

/**
 * No violation of any rule of axe, or of `rules`, on the page as it stands. Motion is turned off and two frames pass
 * first: a toast that is still fading in has, for a moment, the contrast of neither state.
 */
export async function expectAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))),
  );
  const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] });
  if (rules) axe.withRules([...rules]);
  // A blank page in which the results of all frames are put together takes longer than all the rules.
  axe.setLegacyMode(page.frames().length === 1);
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => ({ id, targets: nodes.map((node) => node.target.join(" ")) }))).toEqual([]);
}

/** The same in both colour schemes; colours are all that differs between them. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page, colourRules);
  await page.emulateMedia({ colorScheme: "light" });
}
