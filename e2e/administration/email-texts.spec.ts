import { expect, expectAccessible, expectAccessibleInBothSchemes, signInAs, testAlone } from "../academy.ts";
import { expectToast, goToArea, publishAll } from "./page.ts";

testAlone(
  "an email is reworded beside its preview and reset, and outdated wording is cleared",
  async ({ page, ownAcademy: academy }) => {
    await page.setViewportSize({ width: 390, height: 900 });
    await signInAs(page, "admin@academy.test", "/admin");
    await goToArea(page, "Emails", "Automatic emails");
    await page.getByRole("link", { name: "Account suspended" }).press("Enter");
    const form = page.getByRole("form", { name: "Account suspended" });
    const preview = page.frameLocator("iframe");
    await expect(preview.getByRole("heading", { name: "Your account is suspended" })).toBeVisible();
    await form.getByLabel("Paragraph 1").fill("Your account is <b>paused</b>.");
    await expect(preview.getByText("Your account is <b>paused</b>.")).toBeVisible();
    const reason = form.getByLabel("Paragraph 2, if you gave a reason");
    await reason.fill("Please write to us.");
    await expect(form.getByText("Add {reason}. We fill it in for each student.")).toBeVisible();
    await expectAccessible(page);
    await reason.fill("Why: {reason}");
    await page.getByRole("button", { name: "Save draft" }).press("Enter");
    await expectToast(page, "Draft saved");
    await expect(page.getByRole("button", { name: "Save draft" })).toBeFocused();
    await page.getByRole("button", { name: "Publish" }).press("Enter");
    await expectToast(page, "Published. New emails use this wording.");

    await page.goto("/admin/email-texts");
    await expect(page.getByRole("listitem").filter({ hasText: "Account suspended" })).toContainText("Changed");
    await page.getByRole("link", { name: "Account suspended" }).press("Enter");
    await page.getByRole("button", { name: "Reset to the original" }).press("Enter");
    await expect(reason).toHaveValue("Reason: {reason}");
    await page.getByRole("button", { name: "Save draft" }).press("Enter");
    await expectToast(page, "Draft saved");
    await page.getByRole("button", { name: "All automatic emails" }).press("Enter");
    await publishAll(page, /Account suspended/);

    // As an update leaves wording that names what is no longer known.
    await academy.pool.query(`insert into settings values ('email:stalled', '{"start": "Begin at {place}."}', now())`);
    await page.goto("/admin/email-texts");
    const row = page.getByRole("listitem").filter({ hasText: "Not started or stalled" });
    await expect(row).toContainText("Outdated");
    await row.getByRole("link").press("Enter");
    await expect(page.getByText("“Begin at {place}.”")).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await page.getByRole("button", { name: "Use the original" }).press("Enter");
    await expectToast(page, "Draft saved");
    await page.getByRole("button", { name: "All automatic emails" }).press("Enter");
    await publishAll(page, /Removes wording that can’t be used anymore/);
    await page.goto("/admin/email-texts");
    await expect(row).not.toContainText("Outdated");
  },
);
