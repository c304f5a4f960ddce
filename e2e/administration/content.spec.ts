import { draftPlan, getContent } from "#contract/admin/content.ts";
import { expect, expectAccessible, signInAs, testAlone } from "../academy.ts";
import { expectToast } from "./page.ts";

testAlone(
  "a lesson is drafted, moved and published; a plan that another changes meanwhile loses nothing",
  async ({ page, ownAcademy: academy }) => {
    await signInAs(page, "admin@academy.test", "/admin/content");
    await page.getByRole("link", { name: /^Paying for Inventory/ }).click();
    await page.getByLabel("Title").fill("Paying Later");
    await page.reload();
    await expect(page.getByLabel("Title")).toHaveValue("Paying Later");
    await page.getByLabel("Title").fill("");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByText("Required")).toBeVisible();
    await expectAccessible(page);
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
    const seen = await (await academy.visitor().send("GET", "/api/catalogue")).text();
    expect(seen.indexOf("Paying Later")).toBeGreaterThan(0);
    expect(seen.indexOf("Paying Later")).toBeLessThan(seen.indexOf("Building Business Credit"));

    // A plan that another administrator changes meanwhile.
    const other = await academy.visitor().signInAsDemo("admin@academy.test");
    await page.goto("/admin/content?edit=plan.basic_monthly");
    await page.getByLabel("Name", { exact: true }).fill("Month by Month");
    const plan = (await other.call(getContent)).body.plans.find(({ id }) => id === "basic_monthly")?.published;
    await other.call(draftPlan, { params: { id: "basic_monthly" }, body: { ...plan, price: 59 } });
    const save = page.getByRole("button", { name: "Save draft" });
    await save.click();
    const meanwhile = page.getByRole("region", { name: "Changed meanwhile" });
    await meanwhile.getByText("From your words to theirs").click();
    await expect(meanwhile.getByRole("insertion").filter({ hasText: "59" })).toBeVisible();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Month by Month");
    await page.getByRole("button", { name: "Discard changes" }).click();
    await expect(page.getByLabel("Price in US dollars", { exact: true })).toHaveValue("59");

    const held = Promise.withResolvers<void>();
    await page.route("**/api/admin/content/plans/*", async (route) => {
      await held.promise;
      await route.continue();
    });
    const words = page.getByLabel("Words on the button");
    await words.fill("Begin");
    await words.press("Enter");
    await expect(save).toHaveAttribute("aria-busy", "true");
    await expect(words).toBeDisabled();
    held.resolve();
    await expect(page.getByText("As saved.")).toBeVisible();
    await expect(words).toBeFocused();
    await words.fill("Begin now");
    await expect(page.getByText("Not saved yet; kept in this browser.")).toBeVisible();
  },
);
