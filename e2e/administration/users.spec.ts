import { expect, expectAccessible, expectFocusVisible, signInAs, test } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { choose, expectToast, goToArea, rowOf } from "./page.ts";

test("a user is found, changed and deleted, and returning from one restores the list", async ({
  page,
  context,
  academy,
}) => {
  const complaints = watchConsole(page);
  const student = await academy.buyer("premium");
  await signInAs(page, "admin@academy.test", "/admin");
  for (const label of ["Total Users", "Total Revenue", "Active Subscriptions", "Contact Messages"]) {
    await expect(page.getByRole("term").filter({ hasText: label })).toBeVisible();
  }
  const users = page.getByRole("definition").first().getByRole("link").first();
  const before = Number(await users.textContent());
  await users.click();
  await expect(page.getByRole("heading", { level: 1, name: "Users" })).toBeVisible();
  await expect(page.getByText("Total Users")).toHaveCount(0);

  await page.getByRole("searchbox").fill(student.email);
  await expect(page.getByText("1–1 of 1")).toBeVisible();
  const row = rowOf(page, student.email);
  await expect(row).toBeVisible();

  await choose(row, "Upgrade");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason (optional)").fill("Made up for an outage");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Upgrade to Lifetime Access" }).click();
  await expectToast(page, "User tier updated successfully");
  await expect(row.getByText("Lifetime Access")).toBeVisible();
  await expect(row.getByRole("button", { name: /^Actions for/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(row.getByRole("menuitem", { name: /^(Upgrade|Reactivate)/ })).toHaveCount(0);
  await row.getByRole("menuitem", { name: "Downgrade" }).press("Enter");
  await dialog.getByRole("button", { name: "Downgrade to Annual Access" }).click();
  await expect(row.getByText("Annual Access")).toBeVisible();

  await choose(row, "Suspend");
  await expect(dialog.getByRole("button", { name: "Suspend" })).toBeDisabled();
  await dialog.getByLabel("Reason").fill("Shared the account");
  await dialog.getByRole("button", { name: "Suspend" }).click();
  await expect(row.getByText("Suspended")).toBeVisible();

  // A press on the row opens it, like the name.
  await row.getByText("Suspended").click();
  await expect(page.getByRole("heading", { level: 1, name: "Jo Vendor" })).toBeVisible();
  await expect(page.getByText("Shared the account").first()).toBeVisible();
  await expect(page.getByText("Made up for an outage").first()).toBeVisible();
  await choose(page, "Reactivate");
  await dialog.getByRole("button", { name: "Reactivate" }).click();
  await expectToast(page, "Account reactivated successfully");
  await student.signInAgain();
  await choose(page, "Sign out everywhere");
  await dialog.getByRole("button", { name: "Sign out everywhere" }).click();
  await expectToast(page, "Signed out everywhere");
  expect((await student.send("GET", "/api/auth/user")).status).toBe(401);

  await page.goBack();
  complaints.expectEmpty();

  // A change that fails offline is not made later.
  await choose(row, "Delete");
  await context.setOffline(true);
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expectToast(page, "Failed to delete user account");
  await context.setOffline(false);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(row).toBeVisible();

  await choose(row, "Delete");
  await expect(dialog.getByText(student.email)).toBeVisible();
  await expect(dialog.getByText("This cannot be undone.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(row.getByRole("button", { name: /^Actions for/ })).toBeFocused();
  await choose(row, "Delete");
  await dialog.getByLabel("Reason (optional)").fill("Asked to be forgotten");
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expectToast(page, "User account deleted successfully");
  await expect(page.getByText("No users found")).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
  await goToArea(page, "Home");
  await expect(users).toHaveText(String(before - 1));

  await goToArea(page, "Reports", "Audit log");
  await expect(page.getByText("“Asked to be forgotten”")).toBeVisible();

  // Returning from a user restores the list's filter, order, scroll position and selection.
  await page.setViewportSize({ width: 1280, height: 500 });
  for (let at = 0; at < 3; at += 1) await page.goBack();
  await page.getByRole("searchbox").fill("academy.test");
  await page.getByRole("table", { name: "Users" }).getByRole("button", { name: "User", exact: true }).click();
  const table = page.getByRole("table", { name: "Users" });
  const link = table.getByRole("link").last();
  await expect(page).toHaveURL(/sort=email/);
  await expect(table.locator("[aria-sort]")).toHaveText("User");
  await expect(table).toHaveAttribute("aria-busy", "false");
  const name = await link.textContent();
  await link.scrollIntoViewIfNeeded();
  await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: "instant" }));
  const left = await page.evaluate(() => window.scrollY);
  expect(left).toBeGreaterThan(100);
  await link.click();
  await expect(page.getByRole("heading", { name: "Access", exact: true })).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await page.goBack();
  await expect(page).toHaveURL(/search=academy.test.*sort=email/);
  await expect(link).toHaveText(name ?? "");
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(left);
  await link.click();
  await page.getByRole("link", { name: "All users" }).click();
  await expect(page).toHaveURL(/search=academy.test.*sort=email/);

  const bar = page.getByRole("region", { name: "Selected users" });
  const isTicked = (email: string) => expect(rowOf(page, email).getByRole("checkbox")).toBeChecked();
  await rowOf(page, "basic@academy.test").getByRole("checkbox").check();
  await rowOf(page, "vip@academy.test").getByRole("checkbox").check();
  await rowOf(page, "vip@academy.test").getByRole("link").click();
  await expect(page.getByRole("heading", { name: "Access", exact: true })).toBeVisible();
  await page.goBack();
  await expect(bar).toContainText("2 selected");
  await isTicked("basic@academy.test");
  await page.reload();
  await isTicked("vip@academy.test");
  await goToArea(page, "Coaching");
  await page.waitForURL("**/admin/coaching");
  await page.goBack();
  await expect(bar).toContainText("2 selected");
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 500 });
    await page.getByRole("searchbox").focus();
    await expectFocusVisible(page, bar, 20);
  }
  await bar.getByRole("button", { name: "Clear" }).click();
  await expect(rowOf(page, "basic@academy.test").getByRole("checkbox")).not.toBeChecked();
  await expect(bar).toHaveCount(0);
});
