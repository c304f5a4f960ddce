import type { Page } from "@playwright/test";
import { invite } from "#contract/admin/invitations.ts";
import type { RunningAcademy } from "#test/academy.ts";
import { expect, expectAccessible, test } from "./academy.ts";
import { watchConsole } from "./console.ts";
import { coverOf } from "./video.ts";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const accept = (page: Page) => page.getByRole("button", { name: "Accept" });

/** The first link in the newest email to this address with this subject. */
async function linkIn(academy: RunningAcademy, email: string, subject: string): Promise<string> {
  const { text } = await academy.mailTo({ email }, subject);
  return /https?:\/\/\S+/.exec(text)?.[0] ?? "";
}

async function confirm(page: Page, academy: RunningAcademy, email: string): Promise<void> {
  await page.goto(await linkIn(academy, email, "Confirm"));
  await page.getByRole("button", { name: "Confirm my email address" }).click();
  await page.getByRole("link", { name: "Continue to the academy" }).click();
  await page.waitForURL("**/dashboard");
}

test("a guest follows an invitation, creates an account, confirms it and accepts", async ({ page, academy }) => {
  const complaints = watchConsole(page);
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  const email = "guest-of-honour@example.test";
  expect((await administrator.call(invite, { body: { email, tier: "premium" } })).status).toBe(200);

  await page.goto(await linkIn(academy, email, "You're invited"));
  await expect(heading(page)).toHaveText("You're Invited");
  await expect(page.getByText("with the email address that received the invitation")).toBeVisible();

  await page.getByRole("main").getByRole("link", { name: "Sign In" }).click();
  await page.getByRole("link", { name: "Create account" }).click();
  await page.getByLabel("First name").fill("Gwen");
  await page.getByLabel("Last name").fill("Honour");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("plywood-lantern-42");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("**/invitation");
  await expect(heading(page)).toHaveText("Confirm Your Address");
  await expect(page.getByRole("main")).toContainText(email);
  await expect(accept(page)).toHaveCount(0);
  await expectAccessible(page);

  const other = await page.context().newPage();
  await confirm(other, academy, email);
  await expect(other.getByRole("main")).toContainText("You’ve been invited. Academy gives you Annual Access");
  // A headless browser treats all tabs as visible, so the test dispatches the event of returning to this one.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await expect(heading(page)).toHaveText("You're Invited");

  await other.getByRole("link", { name: "See the invitation" }).click();
  await expect(
    other.getByText("Academy is giving you Annual Access. You won’t be charged, and it doesn’t renew."),
  ).toBeVisible();
  await expectAccessible(other);
  await accept(other).click();
  await expect(heading(other)).toHaveText("Welcome");
  await expect(other.getByText("You now have Annual Access.")).toBeVisible();
  await expectAccessible(other);
  await other.getByRole("link", { name: "Go to Dashboard" }).click();
  await expect(heading(other)).toHaveText("Welcome, Gwen");
  await expect(coverOf(other)).toBeVisible();

  complaints.expectEmpty();
  // The tab with the outdated offer says that the invitation is gone.
  await accept(page).click();
  await expect(page.getByRole("region", { name: /^Notifications/ }).getByText("Not Accepted")).toBeVisible();
  await page.reload();
  await expect(heading(page)).toHaveText("No Invitation");
  await expect(page.getByText(`There's no open invitation for ${email}. It was accepted`)).toBeVisible();
});
