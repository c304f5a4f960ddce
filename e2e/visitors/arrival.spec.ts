import type { Page } from "@playwright/test";
import { expect, expectLive, test } from "../academy.ts";

/** A phone's width, where loading fonts moves the page most. */
test.use({ viewport: { width: 390, height: 844 } });

for (const kind of ["this browser", "one that says nothing of fonts and holds no position, as Safari"]) {
  test(`in ${kind}, opening a section's URL ends at the same position as clicking its link, once fonts have loaded`, async ({
    page,
  }) => {
    if (kind !== "this browser") await page.addInitScript(behaveAsSafari);
    for (const [address, section] of [
      ["/#pricing", "pricing"],
      ["/?plan=premium", "pricing"],
      ["/#faq", "faq"],
    ] as const) {
      // The fonts load after the page.
      const letFontsCome = await openWithoutFonts(page, address);
      await letFontsCome();
      const visited = await restOf(page, section);
      await page.goto("/");
      await expectLive(page);
      await fontsAreThere(page);
      await page.locator(`footer a[href="/#${section}"]`).click();
      await expect(page).toHaveURL(`/#${section}`);
      expect(Math.abs(visited - (await restOf(page, section))), address).toBeLessThanOrEqual(2);
    }
  });
}

test("a visitor who has read on before the fonts load is not scrolled back", async ({ page }) => {
  const letFontsCome = await openWithoutFonts(page, "/#pricing");
  await comesToRest(page);
  await page.mouse.wheel(0, 1500);
  await expect.poll(() => topOf(page, "pricing")).toBeLessThan(-1000);
  await letFontsCome();
  await fontsAreThere(page);
  await comesToRest(page);
  expect(await topOf(page, "pricing")).toBeLessThan(-1000);
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
  const mayCome = Promise.withResolvers<void>();
  await page.route("**/*.woff2", async (route) => {
    await mayCome.promise;
    await route.continue();
  });
  await page.goto("about:blank");
  await page.goto(address, { waitUntil: "commit" });
  await page.waitForFunction(() => window.scrollY > 0);
  return async () => {
    mayCome.resolve();
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
