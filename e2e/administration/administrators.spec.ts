import type { Page } from "@playwright/test";
import { expect, expectAccessible, signInAs, test } from "../academy.ts";
import { watchConsole } from "../console.ts";

for (const path of ["/admin", "/payment-test"]) {
  test(`${path} is for administrators: visitors sign in, students are denied`, async ({ page }) => {
    await page.goto(path);
    await page.getByRole("button", { name: "Continue as vip@academy.test" }).click();
    await page.waitForURL(`**${path}`);
    await expect(page.getByRole("heading", { name: "Access Denied" })).toBeVisible();
    await expect(page.getByText("You don't have administrator privileges to access this page.")).toBeVisible();
    await expectAccessible(page);
  });
}

test("every page of the administration fits a phone in the dark", async ({ page }) => {
  const complaints = watchConsole(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  await signInAs(page, "admin@academy.test", "/admin?search=premium%40academy.test");
  await page.getByRole("link", { name: /Desmond/ }).click();
  await expect(page.getByRole("heading", { name: "Access and why" })).toBeVisible();
  await expectFits(page);
  for (const [path, shown] of [
    ["/admin?search=academy.test", "vip@academy.test"],
    ["/admin?tab=purchases&search=vip@academy.test", "vip@academy.test"],
    ["/admin/checklist", "Card gateway"],
    ["/admin/money", "By plan"],
    ["/admin/figures", "By first plan"],
    ["/admin/learning", "have begun a lesson"],
    ["/admin/content", "Plans and offer"],
    ["/admin/content?edit=offer", "Before the countdown"],
    ["/admin/pages", "Landing page"],
    ["/admin/pages?edit=questions", "Do I need to have sold anything before?"],
    ["/admin/claims", "Not backed"],
    ["/admin/coupons", "a refund leaves them used"],
    ["/admin/bulk-actions", "Nothing was done to many yet"],
    ["/admin/invitations", "Nobody is invited"],
    ["/admin/announcements", "No announcement was written yet"],
    ["/admin/announcements?open=new", "Who gets it"],
    ["/admin/team", "What each role may do"],
    ["/admin/audit", /^1–\d+ of \d+$|No entries/],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(shown).first()).toBeVisible();
    await expectFits(page);
  }
  await expectAccessible(page);
  complaints.expectEmpty();
});

async function expectFits(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
}
