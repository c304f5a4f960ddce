import type { Page } from "@playwright/test";
import { changeCopy, changeSettings, publish } from "#test/drafts.ts";
import { drawn, expect, expectAccessible, expectAccessibleInBothSchemes, signInAs, testAlone } from "../academy.ts";
import { draftOf, expectToast, publishAll, saveDraft } from "./page.ts";

const widths = [1440, 768, 390, 320];

/** How many lines of the headline end below the top of the tag that stands in a later one. */
function coveredLines(page: Page): Promise<number> {
  return page.evaluate(async () => {
    await document.fonts.ready;
    const headline = document.querySelector("h1");
    const tag = headline?.querySelector(".headline-tag")?.getBoundingClientRect();
    if (!headline || !tag) throw new Error("The headline has no tag");
    const range = document.createRange();
    const lines = [...headline.childNodes]
      .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      .flatMap((text) => {
        range.selectNodeContents(text);
        return [...range.getClientRects()];
      });
    // As high as the letters of the font can be, and as low.
    return lines.filter(({ top, bottom }) => (top + bottom) / 2 < tag.top && bottom > tag.top + 1).length;
  });
}

const ornaments = ".ornament, .label-hole, .label-code svg";
const cutShapes = ".swing-tag, .headline-tag, .badge-tag, .torn-bottom, .label-stub, .label-body";

testAlone(
  "an owner orders the landing page's sections and hides them by keyboard, and publishes that alone",
  async ({ page, ownAcademy: academy }) => {
    const admin = await academy.visitor().signInAsDemo("admin@academy.test");
    const words = { headline: "Grow your happy bakery quickly", headlineTag: "bakery" };
    await changeCopy(admin, "hero", () => words);
    await publish(admin);
    await changeSettings(admin, { taxLine: "Not yet" });

    await signInAs(page, "admin@academy.test", "/admin/pages");
    await page.getByRole("link", { name: "Sections", exact: true }).click();
    const list = page.getByRole("group", { name: "Sections below the first screen" });
    await expect(list.getByRole("checkbox")).toHaveCount(9);
    await expect(list.getByRole("checkbox", { name: /^Prices/ })).toBeDisabled();
    await expect(list.getByRole("button", { name: /^(Add|Remove)/ })).toHaveCount(0);
    await list.getByRole("checkbox", { name: "Reviews" }).press(" ");
    await list.getByRole("checkbox", { name: "Questions" }).press(" ");
    const up = list.getByRole("button", { name: "Move Instructor up" });
    for (const number of [4, 3, 2]) {
      await up.press("Enter");
      await expect(list.getByText(`Instructor is number ${number} of 9 now.`)).toBeVisible();
      await expect(up).toBeFocused();
    }
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await drawn(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    await expectAccessibleInBothSchemes(page);
    await page.getByRole("button", { name: "Save draft" }).click();
    await expectToast(page, "Draft saved");
    await page.getByRole("link", { name: /^Reviews/ }).click();
    const note = page.locator("form").getByText("The landing page doesn’t show this section.");
    await expect(note).toBeVisible();
    await note.getByRole("link", { name: "Sections" }).click();
    await expect(list).toBeVisible();
    await expect(note).toHaveCount(0);
    await page.getByRole("link", { name: "Review drafts" }).click();
    await expect(draftOf(page, "Sections")).toContainText("Sections below the first screen, Reviews: On the page");
    await page.getByRole("button", { name: "Publish Sections" }).click();
    await expectToast(page, "Published");
    await expect(page.getByRole("button", { name: "Publish The academy" })).toBeVisible();

    const landing = await page.context().newPage();
    await landing.context().clearCookies();
    await landing.goto("/");
    const headings = landing.getByRole("main").getByRole("heading", { level: 2 });
    await expect(headings.nth(2)).toHaveText("Who teaches it");
    await expect(headings.filter({ hasText: "Asked at the register" })).toHaveCount(0);
    // The worked example and the instructor have the same ground.
    const paddings = landing
      .locator("section.block-space")
      .evaluateAll((sections) =>
        sections.map((section) => Number.parseFloat(getComputedStyle(section).paddingTop) > 0),
      );
    expect(await paddings).toEqual([true, false, true, true, true, true, true]);
    const bar = landing.getByRole("navigation", { name: "Main" });
    await expect(bar.getByRole("link", { name: "Instructor" })).toBeVisible();
    await expect(bar.getByRole("link", { name: "Reviews" })).toHaveCount(0);
    await expectAccessible(landing);

    // The tag in the headline covers no letter of the line above it.
    await expect(landing.getByRole("heading", { level: 1 })).toHaveText(words.headline);
    for (const width of widths) {
      await landing.setViewportSize({ width, height: 900 });
      await drawn(landing);
      expect(await coveredLines(landing), `at ${width}`).toBe(0);
    }
  },
);

testAlone(
  "an owner gives page, instructor and reviewers pictures, and turns off tags, barcodes and stamps",
  async ({ page, ownAcademy: academy }) => {
    await signInAs(page, "admin@academy.test", "/admin/pages?edit=instructor");
    const file = { name: "dana.png", mimeType: "image/png", buffer: await page.screenshot() };
    const save = page.getByRole("button", { name: "Save draft" });
    const words = page.getByLabel("What the picture shows");
    await page.getByLabel("Picture of the instructor").setInputFiles(file);
    await expect(page.getByAltText("The picture")).toBeVisible();
    await save.click();
    await expect(words).toBeFocused();
    await expect(words).toHaveAccessibleDescription(/Required/);
    await words.fill("Dana at a clearance rack");
    await saveDraft(page);

    await page.getByRole("link", { name: /^Reviews/ }).click();
    await page.locator("summary").filter({ hasText: "Gordon T." }).press("Enter");
    const review = page.getByRole("group", { name: "review 2" });
    await review.getByLabel("Picture", { exact: true }).setInputFiles(file);
    await review.getByRole("checkbox", { name: /^The picture is decorative/ }).press(" ");
    await expect(review.getByLabel("What the picture shows")).toHaveCount(0);
    await expectAccessible(page);
    await saveDraft(page);

    await page.getByRole("link", { name: /^First screen/ }).click();
    // The reviews have three of them, and stay until the other form has loaded.
    const picture = page.getByLabel("Picture", { exact: true });
    await expect(picture).toHaveCount(1);
    await picture.setInputFiles(file);
    await words.fill("Our shelves");
    await saveDraft(page);
    await publishAll(page);

    await page.goto("/");
    const shelves = page.getByAltText("Our shelves");
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await shelves.scrollIntoViewIfNeeded();
      await expect(shelves).toHaveJSProperty("complete", true);
      await expect(page.getByAltText("Dana at a clearance rack")).toBeAttached();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    await expect(page.getByRole("figure").filter({ hasText: "Gordon T." }).locator("img")).toHaveAttribute("alt", "");
    await expectAccessible(page);

    // Tags, barcodes and stamps are turned off everywhere with one switch.
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.goto("/admin/settings?tab=look");
    await expect(page.locator(".ornament").first()).toBeAttached();
    const light = page.getByRole("figure", { name: "Light mode" });
    await expect(light.getByText("New")).not.toHaveCSS("clip-path", "none");
    await page.getByRole("checkbox", { name: /^Plain style/ }).press(" ");
    await expect(light.getByText("New")).toHaveCSS("clip-path", "none");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expectToast(page, "Draft saved");
    await publishAll(page, /Plain style/);
    // The open document changes too.
    await expect(page.locator("html[data-plain]")).toHaveCount(1);

    for (const path of [
      "/",
      "/signup?tier=basic",
      "/contact",
      "/demo-dashboard",
      "/no/such/page",
      "/issuer/reset-password/ask",
    ]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.locator(ornaments).filter({ visible: true }), path).toHaveCount(0);
      const cut = await page.locator(cutShapes).evaluateAll((shapes) =>
        shapes
          .filter((shape) => {
            const { clipPath, maskImage } = getComputedStyle(shape);
            return clipPath !== "none" || maskImage !== "none";
          })
          .map(({ className }) => className),
      );
      expect(cut, path).toEqual([]);
      // The style changes shapes and no colours of the academy. The issuer has a style of its own.
      await (path.startsWith("/issuer/") ? expectAccessibleInBothSchemes(page) : expectAccessible(page));
    }
    // Phones show the name in place of the tag.
    await page.setViewportSize({ width: 320, height: 800 });
    await page.goto("/admin/settings");
    await expect(page.getByRole("link", { name: "Academy, home" }).getByText("Academy")).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    const student = await academy.buyer("premium");
    expect(await (await student.send("GET", "/dashboard")).text()).toMatch(/<html[^>]* data-plain/);
    expect(await (await student.send("GET", "/")).text()).toContain('href="/look/square-ffd60a.svg"');
  },
);
