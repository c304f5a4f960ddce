import { expect, expectAccessible, signInAs, testAlone } from "../academy.ts";
import { expectToast } from "./page.ts";

testAlone(
  "a lesson is edited, kept through a reload, drafted, published and seen by visitors",
  async ({ page, ownAcademy: academy }) => {
    await signInAs(page, "admin@academy.test", "/admin/content");
    await page.getByRole("link", { name: /^Paying for Inventory/ }).click();
    await page.getByLabel("Title").fill("Paying Later");
    await page.reload();
    await expect(page.getByLabel("Title")).toHaveValue("Paying Later");
    await expectAccessible(page);
    await page.getByLabel("Title").fill("");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByText("Required")).toBeVisible();
    await page.getByLabel("Title").fill("Paying Later");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expectToast(page, "Draft saved");
    await page.locator("summary").filter({ hasText: "What changes" }).press("Enter");
    await expect(page.getByRole("deletion")).toHaveText("Paying for Inventory With Other People's Money");

    await page.getByRole("button", { name: "Move Paying Later up" }).press("Enter");
    await expectToast(page, "Order changed in the draft");
    await page.getByRole("button", { name: "Publish all" }).click();
    await expectToast(page, "Published");
    await expect(page.getByText(/waits? to be published/)).toHaveCount(0);
    await expectAccessible(page);
    const seen = await (await academy.visitor().send("GET", "/api/catalogue")).text();
    expect(seen.indexOf("Paying Later")).toBeGreaterThan(0);
    expect(seen.indexOf("Paying Later")).toBeLessThan(seen.indexOf("Building Business Credit"));
  },
);
