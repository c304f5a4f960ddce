import { expect, expectAccessible, signInAs, test, testAlone } from "../academy.ts";
import { watchConsole } from "../console.ts";

testAlone(
  "an administrator writes an announcement, tries it, sends it and stops it; a student turns announcements off",
  async ({ page, ownAcademy: academy }) => {
    const complaints = watchConsole(page);
    await page.setViewportSize({ width: 320, height: 900 });
    await signInAs(page, "admin@academy.test", "/admin/announcements");
    await page.getByRole("button", { name: "New announcement" }).press("Enter");
    await page.getByLabel("To", { exact: true }).selectOption("Annual Access");
    await expect(page.getByText("premium@academy.test")).toBeVisible();
    await page.getByLabel("Subject").fill("A new module");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByLabel("Text")).toBeFocused();
    await page.getByLabel("Text").fill("Module 6 is here.\nHave fun with it.");
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByRole("button", { name: "Send a test to me" }).click();
    await expect
      .poll(async () => (await academy.mails()).some(({ subject }) => subject === "Test: A new module"))
      .toBe(true);
    await page.getByRole("button", { name: /^Send to \d+ (person|people)$/ }).click();
    await expectAccessible(page);
    await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
    await expect(page.getByText("Being sent")).toBeVisible();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stop" }).click();
    await expect(page.getByText("Stopped").first()).toBeVisible();
    await expectAccessible(page);

    await signInAs(page, "premium@academy.test", "/profile");
    const choice = page.getByRole("checkbox", { name: /^Announcements/ });
    await expect(choice).toBeChecked();
    await choice.click();
    await expect(page.getByText("You get no announcements").first()).toBeVisible();
    await page.reload();
    await expect(choice).not.toBeChecked();
    complaints.expectEmpty();
  },
);

test("text typed into an announcement during a save is also saved", async ({ page }) => {
  await signInAs(page, "admin@academy.test", "/admin/announcements?open=new");
  const held = Promise.withResolvers<void>();
  await page.route("**/api/admin/announcements", async (route) => {
    if (route.request().method() === "POST") await held.promise;
    await route.continue();
  });
  await page.getByLabel("Text").fill("Module 6 is here.");
  const subject = page.getByLabel("Subject");
  await subject.fill("A new module");
  await subject.press("Enter");
  await expect(page.getByRole("button", { name: "Save draft" })).toHaveAttribute("aria-busy", "true");
  await expect(subject).toBeDisabled();
  held.resolve();
  await expect(page.getByRole("button", { name: "Delete draft" })).toBeVisible();
  await expect(subject).toHaveValue("A new module");
});
