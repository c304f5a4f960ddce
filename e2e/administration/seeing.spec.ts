import { expect, expectAccessible, signInAs, test } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { choose } from "./page.ts";

test("an administrator sees the academy as a student, under a bar, and stops", async ({ page, academy }) => {
  const student = await academy.buyer("vip");
  const userPage = `/admin/users/${await student.id()}`;
  await signInAs(page, "admin@academy.test", userPage);
  await choose(page, "See as this student");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason (optional)").fill("Asked why a lesson is closed");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "See as this student" }).click();
  await page.waitForURL("/dashboard");
  const complaints = watchConsole(page);
  const bar = page.getByRole("region", { name: "Seeing as a student" });
  await expect(bar).toContainText("You’re seeing the academy as Jo Vendor, 15 minutes left");
  await expectAccessible(page);
  await expect(page.getByRole("link", { name: "Admin", exact: true })).toHaveCount(0);

  await page.goto("/profile");
  await expect(page.getByText("Only the student can see their devices")).toBeVisible();
  await expect(page.getByRole("button", { name: "Delete my account" })).toHaveCount(0);
  await page.goto("/contact");
  await expect(bar).toBeVisible();
  await page.goto("/payment-method");
  await expect(page.getByRole("heading", { name: "Only the student can use this page" })).toBeVisible();
  await expect(bar).toBeVisible();
  await page.goto("/course-access?module=module-1&lesson=lesson-1-1");
  await expect(bar).toBeVisible();
  await page.goto("/admin");
  await expect(page.getByRole("heading", { name: "You’re seeing the academy as a student" })).toBeVisible();
  await expectAccessible(page);
  complaints.expectEmpty();

  await page.getByRole("button", { name: "Stop and go back" }).click();
  await page.waitForURL(userPage);
  await expect(page.getByText("stopped seeing the academy as")).toBeVisible();
  await expect(bar).toHaveCount(0);
});
