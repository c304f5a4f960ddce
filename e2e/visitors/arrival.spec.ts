import type { Page } from "@playwright/test";
import { expect, expectLive, test } from "../academy.ts";

/** As narrow as a phone, where the fonts move most. */
test.use({ viewport: { width: 390, height: 844 } });

for (const kind of ["this browser", "one that says nothing of fonts and holds no position, as Safari"]) {
  test(`in ${kind}, a visit to a section's address rests where a press on its link rests, when the fonts have come`, async ({
    page,
  }) => {
    if (kind !== "this browser") await page.addInitScript(behaveAsSafari);
    for (const [address, section] of [
      ["/#pricing", "pricing"],
      ["/?plan=premium", "pricing"],
      ["/#faq", "faq"],
    ] as const) {
      // They come on the way.
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

test("anybody who reads on before the fonts come is not brought back to the section", async ({ page }) => {
  const letFontsCome = await openWithoutFonts(page, "/#pricing");
  await comesToRest(page);
  await page.mouse.wheel(0, 1500);
  await expect.poll(() => topOf(page, "pricing")).toBeLessThan(-1000);
  await letFontsCome();
  await fontsAreThere(page);
  await comesToRest(page);
  expect(await topOf(page, "pricing")).toBeLessThan(-1000);
});

/** Runs in the page, before its own scripts. */
function behaveAsSafari(): void {
  FontFaceSet.prototype.addEventListener = () => {};
  document.addEventListener("readystatechange", () => {
    document.documentElement.style.overflowAnchor = "none";
  });
}

/** Follows a link to a section of a page whose fonts do not come until the function that is returned is called. */
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

/** Where the section's start rests, in pixels from the top of the window, in the page's own fonts. */
async function restOf(page: Page, section: string): Promise<number> {
  await fontsAreThere(page);
  await expect(page.locator(`#${section}`)).toBeInViewport();
  await comesToRest(page);
  return topOf(page, section);
}

/** Both of them, text and print: the later one moves the page too. */
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

/** Nothing has moved for a while, counted in pictures of the screen. */
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
