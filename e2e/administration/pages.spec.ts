import type { Locator, Page } from "@playwright/test";
import { builtInCopy } from "#content/copy/copy.ts";
import { copyParts } from "#contract/copy.ts";
import { expect, expectAccessible, signInAs, testAlone } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { expectToast } from "./page.ts";

testAlone(
  "an owner makes the words of the demo those of a bakery, and none of the demo's are left on its pages",
  async ({ page, browser, baseURL }) => {
    testAlone.slow();
    const complaints = watchConsole(page);
    await signInAs(page, "admin@academy.test", "/admin/settings");
    await page.getByLabel("Name", { exact: true }).fill("Crust & Crumb");
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByRole("button", { name: "Publish all" }).click();
    await expect(page).toHaveTitle("Settings | Crust & Crumb");
    for (const part of copyParts) {
      await page.goto(`/admin/pages?edit=${part}`);
      await rewrite(page.locator("form"));
      await page.getByRole("button", { name: "Save draft" }).click();
      await expect(page.getByRole("status").filter({ hasText: "As saved." })).toBeVisible();
    }
    const visitor = await (await browser.newContext({ baseURL })).newPage();
    await visitor.goto("/");
    await expect(visitor.getByRole("heading", { level: 1 })).toHaveText("Every price tag is a question.");
    await page.getByRole("button", { name: "Publish all" }).click();
    await expectToast(page, "Published");
    await expect(page.getByText(/wait to be published/)).toHaveCount(0);

    for (const path of ["/", "/contact", "/sitemap", "/terms-of-service", "/privacy-policy", "/dashboard"]) {
      const html = (await (await visitor.request.get(path)).text()).replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
      expect(html).toContain("Loaf");
      for (const words of demoWords) expect(html.includes(words), `${path} still says: ${words}`).toBe(false);
    }
    await visitor.setViewportSize({ width: 320, height: 640 });
    await visitor.goto("/");
    await expect(visitor.getByRole("heading", { level: 1 })).toHaveText(/^Loaf/);
    expect(await visitor.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await visitor.context().close();
    complaints.expectEmpty();
  },
);

/** What stands in the demo's words, cut at their marks; short ones stand elsewhere, too. */
const demoWords = stringsOf(builtInCopy)
  .flatMap((text) => text.split(/\{\w+(?::\w+)?\}|\n+(?:- )?/))
  .map((piece) => piece.trim())
  .filter((piece) => piece.length > 18);

function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(stringsOf) : [];
}

let loaves = 0;

/** Leaves as few entries of each list as there may be, and writes something else into every field. */
async function rewrite(form: Locator): Promise<void> {
  await expect(form).toBeVisible();
  const removable = form.getByRole("button", { name: /^Remove/ }).and(form.locator(":not([aria-disabled=true])"));
  while ((await removable.count()) > 0) await removable.last().press("Enter");
  const closed = form.locator("li > details:not([open]) > summary");
  while ((await closed.count()) > 0) await closed.first().press("Enter");
  for (const claims of await form.getByRole("checkbox", { name: /^It claims/, checked: true }).all())
    await claims.press(" ");
  for (const drawing of await form.getByRole("combobox", { name: "Drawing" }).all()) await drawing.selectOption("None");
  for (const drawing of await form.getByRole("checkbox", { name: /^A drawing/, checked: true }).all())
    await drawing.press(" ");
  for (const months of await form.locator("input[type=month]").all()) await months.fill("");
  for (const field of await form.locator("input:not([type=month], [type=checkbox]), textarea").all()) {
    loaves += 1;
    const most = Number((await field.getAttribute("maxlength")) ?? 40);
    await field.fill(`Loaf ${loaves}, with [salt](https://bakery.example)`.slice(0, most < 60 ? 9 : most));
  }
}

testAlone("reviews are added, moved and removed by keyboard, and two tabs lose nothing", async ({ page, context }) => {
  await signInAs(page, "admin@academy.test", "/admin/pages?edit=testimonials");
  const other = await context.newPage();
  await other.goto("/admin/pages?edit=testimonials");
  await expect(other.getByLabel("Heading", { exact: true })).toBeVisible();

  const up = page.getByRole("button", { name: "Move Gordon T. up" });
  await up.press("Enter");
  await expect(up).toBeFocused();
  await expect(page.getByText("Gordon T. is number 1 of 3 now.")).toBeVisible();
  await page.getByRole("button", { name: "Remove Aleksandra W." }).press("Enter");
  await expect(page.locator("summary").filter({ hasText: "Priya N." })).toBeFocused();
  await page.getByRole("button", { name: "Add a review" }).press("Enter");
  await expect(page.getByRole("textbox", { name: "Who" })).toBeFocused();
  await page.keyboard.type("Amal K.");
  await page.getByRole("button", { name: "Save draft" }).press("Enter");
  const quote = page.getByRole("textbox", { name: "What they say" });
  await expect(page.getByRole("textbox", { name: "What they do" })).toBeFocused();
  await expect(page.getByRole("textbox", { name: "What they do" })).toHaveAccessibleDescription(/Required/);
  await page.getByRole("textbox", { name: "What they do" }).fill("Baker");
  await quote.fill("My first loaf rose.");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save draft" }).press("Enter");
  await expectToast(page, "Draft saved");

  await other.getByLabel("Heading", { exact: true }).fill("From the oven");
  await other.getByRole("button", { name: "Save draft" }).click();
  const changed = other.getByRole("region", { name: "Changed meanwhile" });
  await expect(changed).toBeVisible();
  await expectAccessible(other);
  await changed.locator("summary").press("Enter");
  await expect(changed.getByRole("insertion").filter({ hasText: "My first loaf rose." })).toBeVisible();
  await other.getByRole("button", { name: "Discard changes" }).click();
  await other.getByLabel("Heading", { exact: true }).fill("From the oven");
  await other.getByRole("button", { name: "Save draft" }).click();
  await expectToast(other, "Draft saved");

  const [preview] = await Promise.all([
    context.waitForEvent("page"),
    other.getByRole("link", { name: /^Preview/ }).click(),
  ]);
  await expect(preview.getByText("Preview of what is saved as a draft.")).toBeVisible();
  await expect(preview.locator("#testimonials figcaption")).toHaveText([/Gordon T\./, /Priya N\./, /Amal K\./]);
  await expect(preview.locator("#testimonials h2")).toHaveText("From the oven");
  await expectAccessible(preview as Page);
});
