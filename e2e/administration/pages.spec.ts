import { expect, expectAccessible, signInAs, testAlone } from "../academy.ts";
import { expectToast } from "./page.ts";

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
  await page.getByRole("button", { name: "Move Amal K. up" }).press("Enter");
  await expect(page.getByText("Required", { exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: "Move Amal K. down" }).press("Enter");
  await page.getByRole("textbox", { name: "What they do" }).fill("Baker");
  await quote.fill("My first loaf rose.");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save draft" }).press("Enter");
  await expectToast(page, "Draft saved");

  await other.getByLabel("Heading", { exact: true }).fill("From the oven");
  await other.getByRole("button", { name: "Save draft" }).click();
  const changed = other.getByRole("region", { name: "Changed meanwhile" });
  await expect(changed).toBeVisible();
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
  await expectAccessible(preview);
});
