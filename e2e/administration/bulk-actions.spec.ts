import { expect, expectAccessible, signInAs, testAlone } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { expectToast, goToArea, rowOf } from "./page.ts";

testAlone(
  "an administrator selects people by keyboard over pages, gives them a plan and takes it back",
  async ({ page, ownAcademy: academy }) => {
    const complaints = watchConsole(page);
    const student = await academy.buyer("premium");
    for (let at = 0; at < 3; at += 1) await academy.visitor().signUp();
    await signInAs(page, "admin@academy.test", "/admin?tab=users&search=example.test");

    const bar = page.getByRole("region", { name: "Selected users" });
    await rowOf(page, student.email).getByRole("checkbox").press("Space");
    await expect(bar).toContainText("1 selected");
    await page.keyboard.press("Escape");
    await expect(bar).toHaveCount(0);
    await rowOf(page, student.email).getByRole("checkbox").check();
    await page.getByRole("table", { name: "Users" }).getByRole("button", { name: "User", exact: true }).click();
    await expect(rowOf(page, student.email).getByRole("checkbox")).toBeChecked();
    await page.getByRole("combobox", { name: "Plan" }).selectOption("No plan");
    await expect(page).toHaveURL(/tier=none/);
    await expect(bar).toHaveCount(0);

    await page.getByRole("checkbox", { name: "Select this page" }).check();
    await expect(bar).toContainText("3 selected");
    await bar.getByRole("button", { name: "Give a plan" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Plan").selectOption("Annual Access");
    await expect(dialog).toContainText("3 of 3 people will get it.");
    await dialog.getByLabel("Reason (optional)").fill("Made up for an outage");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Give to 3 people" }).click();
    await expectToast(page, "Started");
    const result = page.getByRole("region", { name: /^Give Annual Access until/ });
    await expect(result).toContainText("3 of 3 people done");
    await expect(page).toHaveURL(/action=/);
    await page.reload();
    await expect(result).toContainText("Made up for an outage");
    await expectAccessible(page);
    await result.getByRole("button", { name: "Undo" }).click();
    await expect(dialog).toContainText("We’ll undo it for 3 of 3 people.");
    await dialog.getByRole("button", { name: "Undo for 3 people" }).click();
    await expect(page.getByRole("region", { name: /^Undo: Give Annual Access/ })).toContainText("3 of 3 people done");
    await expect(page.getByText("1–3 of 3")).toBeVisible();

    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/admin?tab=users&search=example.test");
    await page.getByRole("checkbox", { name: "Select this page" }).check();
    await expect(bar).toContainText("4 selected");
    await expect(bar.getByRole("button", { name: "Clear" })).toBeInViewport();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await bar.getByRole("button", { name: "Write" }).click();
    await expect(page.getByLabel("To", { exact: true })).toHaveValue(/^selection:/);
    await expect(page.getByText("4 with an unconfirmed address")).toBeVisible();
    await goToArea(page, "People");
    await page.getByRole("link", { name: "Past bulk actions" }).click();
    await expect(page.getByText("Undone")).toBeVisible();
    complaints.expectEmpty();
  },
);
