import type { Page } from "@playwright/test";
import { expect, expectLive, holdBack, test } from "../academy.ts";

/** A phone's width, where loading fonts moves the page most. */
test.use({ viewport: { width: 390, height: 844 } });

test("a section's URL ends where its link does once fonts have loaded, unless the visitor has read on", async ({
  page,
}) => {
  const linked = new Map<string, number>();
  for (const section of ["pricing", "faq"]) {
    await page.goto("/");
    await expectLive(page);
    await fontsAreThere(page);
    // A click could miss the link, which moves while the rest of the page is laid out.
    await page.locator(`footer a[href="/#${section}"]`).press("Enter");
    await expect(page).toHaveURL(`/#${section}`);
    linked.set(section, await restOf(page, section));
  }
  const expectSameRest = async (address: string, section: string) => {
    // The fonts load after the page.
    const letFontsCome = await openWithoutFonts(page, address);
    await letFontsCome();
    expect(Math.abs((await restOf(page, section)) - (linked.get(section) ?? 0)), address).toBeLessThanOrEqual(2);
  };
  await expectSameRest("/#pricing", "pricing");
  await expectSameRest("/?plan=premium", "pricing");

  const letFontsCome = await openWithoutFonts(page, "/#pricing");
  await comesToRest(page);
  await page.mouse.wheel(0, 1500);
  await expect.poll(() => topOf(page, "pricing")).toBeLessThan(-1000);
  await letFontsCome();
  await fontsAreThere(page);
  await comesToRest(page);
  expect(await topOf(page, "pricing")).toBeLessThan(-1000);

  // Safari tells nothing about fonts and holds no position.
  await page.addInitScript(behaveAsSafari);
  await expectSameRest("/#faq", "faq");
  await expectSameRest("/?plan=premium", "pricing");
});

test("in a wide window the end of the page stays where it is when the visitor scrolls there", async ({ page }) => {
  // Distant parts are also laid out when the browser is idle.
  await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }));
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto("/");
  await expectLive(page);
  await fontsAreThere(page);
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  const before = await height();
  await page.mouse.wheel(0, before);
  await expect(page.locator("html[data-whole]")).toHaveCount(1);
  expect(await height()).toBe(before);
});

/** Runs in the page before its own scripts. */
function behaveAsSafari(): void {
  FontFaceSet.prototype.addEventListener = () => {};
  document.addEventListener("readystatechange", () => {
    document.documentElement.style.overflowAnchor = "none";
  });
}

/** Opens a section's URL without fonts. Resolves to a function that lets the fonts load. */
async function openWithoutFonts(page: Page, address: string): Promise<() => Promise<void>> {
  const letCome = await holdBack(page, "**/*.woff2");
  await page.goto("about:blank");
  await page.goto(address, { waitUntil: "commit" });
  await page.waitForFunction(() => window.scrollY > 0);
  return async () => {
    letCome();
    await page.waitForLoadState();
    await page.unroute("**/*.woff2");
  };
}

/** The section's final position in pixels from the top of the window, with the page's own fonts. */
async function restOf(page: Page, section: string): Promise<number> {
  await fontsAreThere(page);
  await expect(page.locator(`#${section}`)).toBeInViewport();
  await comesToRest(page);
  return topOf(page, section);
}

/** Waits for both fonts, because each moves the page. */
async function fontsAreThere(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const loaded = [...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family);
    const isThere = (name: string) => loaded.some((family) => family.includes(name));
    return document.fonts.status === "loaded" && isThere("Archivo Variable") && isThere("Martian Mono Variable");
  });
}

function topOf(page: Page, section: string): Promise<number> {
  return page.locator(`#${section}`).evaluate((element) => element.getBoundingClientRect().top);
}

/** Waits until nothing has moved for 20 frames. */
async function comesToRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    let top = Number.NaN;
    for (let same = 0; same < 20; same += 1) {
      if (window.scrollY !== top) same = 0;
      top = window.scrollY;
      await new Promise(requestAnimationFrame);
    }
  });
}
