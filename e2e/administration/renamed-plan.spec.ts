import { draftPlan, getContent } from "#contract/admin/content.ts";
import { expect, expectAccessibleInBothSchemes, signInAs, testAlone } from "../academy.ts";
import { expectToast, publishAll } from "./page.ts";

testAlone(
  "an owner who renames a plan is shown what still says its old name, and its tags change at once",
  async ({ page, ownAcademy: academy }) => {
    const admin = await academy.visitor().signInAsDemo("admin@academy.test");
    const plan = (await admin.call(getContent)).body.plans.find(({ tier }) => tier === "vip");
    const id = plan?.id ?? "";
    const body = { ...plan?.published, name: "Baker for Life", buttonLabel: "Get Lifetime Access" };
    expect((await admin.call(draftPlan, { params: { id }, body })).status).toBe(200);

    await signInAs(page, "admin@academy.test", "/admin/content");
    const old = page.getByRole("region", { name: "1 text still says “Lifetime Access”" });
    await expect(old).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await old.getByRole("link", { name: "Plan: Baker for Life" }).click();
    await page.getByLabel("Button label").fill("Start baking");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expectToast(page, "Draft saved");
    await expect(old).toHaveCount(0);

    const course = page.getByRole("region", { name: "Course" });
    await expect(course).toContainText("Lifetime Access");
    await publishAll(page);
    await page.goBack();
    await expect(course).toContainText("Baker for Life");
    await expect(course).not.toContainText("Lifetime Access");
  },
);
