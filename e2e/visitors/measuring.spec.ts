import type { BrowserContext, Page } from "@playwright/test";
import { expect, expectFocusVisible, expectLive, signInAs, testAlone, test as withoutPixel } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { fillCard, fillContactForm } from "../forms.ts";

const id = "123456789012345";

/** An academy with a pixel. */
const test = testAlone.extend({ environment: { META_PIXEL_ID: id } });

/** A fake of Meta's script, as far as the pages use it: it replaces the queue and records the calls. */
const standIn = `
  window.reported = [];
  window.fbq.callMethod = (...call) => window.reported.push(call);
  for (const call of window.fbq.queue.splice(0)) window.fbq.callMethod(...call);
`;

/** `pages` are the pages that loaded the script, and `referrers` the referrers that they sent. */
async function standInForMeta(context: BrowserContext): Promise<{ pages: string[]; referrers: Set<string> }> {
  const pages: string[] = [];
  const referrers = new Set<string>();
  await context.route("https://connect.facebook.net/**", async (route) => {
    pages.push(new URL(route.request().frame().url()).pathname);
    referrers.add(route.request().headers().referer ?? "");
    await route.fulfill({ contentType: "text/javascript", body: standIn });
  });
  return { pages, referrers };
}

/** The events reported in this document, without the calls that set up the pixel. */
function reportsOn(page: Page): Promise<unknown[][]> {
  return page.evaluate(() =>
    ((window as unknown as { reported?: unknown[][] }).reported ?? []).filter(([call]) =>
      String(call).startsWith("track"),
    ),
  );
}

const bar = (page: Page) => page.getByRole("region", { name: "May we measure this visit?" });

withoutPixel(
  "without an id nothing is asked, loaded or said in the browser, and the log warns once [G07]",
  async ({ page, academy }) => {
    const { pages } = await standInForMeta(page.context());
    const complaints = watchConsole(page);
    await page.goto("/");
    await page.getByRole("navigation", { name: "Footer" }).getByRole("link", { name: "Contact" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Bring it to the service desk.");
    await expect(bar(page)).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Privacy choices" })).toHaveCount(0);
    expect(await page.content()).not.toContain("facebook.net");
    expect(pages).toEqual([]);
    complaints.expectEmpty();
    expect(academy.log.filter((line) => line.includes("META_PIXEL_ID"))).toHaveLength(1);
  },
);

test("only with consent, and never against the browser's wish, each event is reported once [G06 G07]", async ({
  page,
  context,
  browser,
  ownAcademy: academy,
}) => {
  const { pages, referrers } = await standInForMeta(context);
  const complaints = watchConsole(page);
  await page.goto("/");
  await expect(bar(page)).toBeVisible();
  await expectFocusVisible(page, bar(page), 12);
  const [decline, accept] = [
    bar(page).getByRole("button", { name: "Decline" }),
    bar(page).getByRole("button", { name: "Accept" }),
  ];
  const style = (element: Element) =>
    `${getComputedStyle(element).color} ${getComputedStyle(element).backgroundColor} ${element.clientWidth}`;
  expect(await decline.evaluate(style)).toBe(await accept.evaluate(style));
  await decline.click();
  await expect(bar(page)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("button", { name: "Privacy choices" })).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
  expect(pages).toEqual([]);

  await page.getByRole("button", { name: "Privacy choices" }).click();
  await accept.click();
  await expect.poll(() => pages).toEqual(["/"]);
  expect(await reportsOn(page)).toEqual([]);
  await page.getByRole("navigation", { name: "Footer" }).getByRole("link", { name: "Contact" }).click();
  await expect.poll(() => reportsOn(page)).toEqual([["track", "PageView"]]);
  expect(pages).toEqual(["/", "/contact"]);

  await page.goto("/privacy-policy#measurement");
  await expect.poll(() => reportsOn(page)).toEqual([["track", "PageView"]]);
  await page.locator("#measurement").getByRole("button", { name: "Privacy choices" }).click();
  await decline.click();
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Privacy Policy");
  await expect(page.getByRole("button", { name: "Privacy choices" }).first()).toBeVisible();
  expect(pages).toEqual(["/", "/contact", "/privacy-policy"]);
  expect([...referrers]).toEqual([`${academy.url}/`]);

  // Each event up to the purchase is reported once, without personal data, and on no card page.
  await page.evaluate(() => localStorage.clear());
  await page.goto("/");
  await bar(page).getByRole("button", { name: "Accept" }).click();
  await expect.poll(() => reportsOn(page)).toEqual([["track", "PageView"]]);
  await page.getByRole("button", { name: "Play: The Gap Between Two Prices" }).click();
  await expect
    .poll(async () => (await reportsOn(page)).at(-1))
    .toEqual(["trackCustom", "FreeLessonStarted", { lessonId: "lesson-1-1" }]);

  // The form sends nothing faster than people write.
  await page.clock.install();
  await page.goto("/contact");
  await expectLive(page);
  await fillContactForm(page);
  await page.clock.fastForward(20_000);
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect.poll(async () => (await reportsOn(page)).at(-1)).toEqual(["track", "Lead", { content_name: "contact" }]);

  // With 204 the browser stays on the page, where the test reads the events.
  await page.route("**/api/login**", (route) => route.fulfill({ status: 204 }));
  await page.goto("/signup?tier=vip&priceId=vip_lifetime&price=1497");
  await expect.poll(() => reportsOn(page)).toEqual([["track", "PageView"]]);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect
    .poll(async () => (await reportsOn(page)).at(-1))
    .toEqual(["track", "CompleteRegistration", { status: true, content_name: "Lifetime Access" }]);

  await signInAs(
    page,
    await academy.visitor().signUp(),
    "/checkout?tier=premium&priceId=premium_annual&name=Annual%20Access&price=397",
  );
  await fillCard(page);
  await page.getByRole("button", { name: /^Pay/ }).click();
  await page.getByRole("link", { name: "Go to dashboard now" }).click();
  await page.waitForURL("**/dashboard");
  const [bought] = await (await page.request.get("/api/user/purchases")).json();
  const product = { content_ids: ["premium_annual"], content_type: "product", value: 397, currency: "USD" };
  await expect
    .poll(() => reportsOn(page))
    .toEqual([
      ["track", "AddToCart", product],
      ["track", "ViewContent", { ...product, content_name: "Annual Access" }],
      ["track", "InitiateCheckout", { ...product, num_items: 1 }],
      ["track", "Purchase", product, { eventID: bought.id }],
      ["track", "PageView"],
    ]);
  await page.reload();
  await expect.poll(() => reportsOn(page)).toEqual([["track", "PageView"]]);
  expect(pages).not.toContain("/checkout");
  complaints.expectEmpty();

  // A browser that asks not to be tracked is not asked and not measured, whatever its choice.
  for (const signal of ["globalPrivacyControl", "doNotTrack"] as const) {
    const elsewhere = await browser.newContext({ baseURL: academy.url });
    const loaded = await standInForMeta(elsewhere);
    const tab = await elsewhere.newPage();
    await tab.addInitScript((signal) => {
      localStorage.setItem("measuringConsent", "granted");
      Object.defineProperty(navigator, signal, { get: () => (signal === "doNotTrack" ? "1" : true) });
    }, signal);
    await tab.goto("/contact");
    await expect(tab.getByRole("heading", { level: 1 })).toHaveText("Bring it to the service desk.");
    await expectLive(tab);
    await expect(bar(tab)).toHaveCount(0);
    await expect(tab.getByRole("button", { name: "Privacy choices" })).toHaveCount(0);
    expect(loaded.pages, signal).toEqual([]);
    await elsewhere.close();
  }
});
