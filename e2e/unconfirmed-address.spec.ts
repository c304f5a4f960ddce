import type { Locator, Page } from "@playwright/test";
import type { RunningAcademy } from "#test/academy.ts";
import { become, expect, expectAccessibleInBothSchemes, expectLive, signInAs, test } from "./academy.ts";

/** Opens the dashboard as a new student. Resolves to the unconfirmed address. */
async function signUp(page: Page, academy: RunningAcademy): Promise<string> {
  const student = await academy.visitor().signUp();
  await become(page.context(), student);
  await page.goto("/dashboard");
  return student.email;
}

/** The link in the first email to this address. */
async function linkMailedTo(academy: RunningAcademy, email: string): Promise<string> {
  let link = "";
  await expect(async () => {
    const mail = (await academy.mails()).find(({ to }) => to.includes(email));
    link = /https?:\/\/\S+token=\S+/.exec(mail?.text ?? "")?.[0] ?? "";
    expect(link).not.toBe("");
  }).toPass();
  return link;
}

function barOf(page: Page): Locator {
  return page.getByRole("region", { name: "Address to confirm" });
}

test("an unconfirmed address is mentioned on every page, gets its link again by one click, and can be corrected", async ({
  page,
  academy,
}) => {
  const email = await signUp(page, academy);

  const told = barOf(page);
  await expect(told).toContainText(`Open the link that we sent to ${email}`);
  for (const path of ["/", "/contact", "/profile"]) {
    await page.goto(path);
    await expect(told).toBeVisible();
  }
  await expectAccessibleInBothSchemes(page);
  await page.goto("/profile");
  await told.getByRole("button", { name: "Send again" }).click();
  await expect(page.getByText(`It goes to ${email}.`, { exact: true })).toBeVisible();
  await expect(async () => {
    const mails = (await academy.mails()).filter(
      ({ to, subject }) => to.includes(email) && subject.startsWith("Confirm"),
    );
    expect(mails).toHaveLength(2);
  }).toPass();

  await expect(page.getByRole("link", { name: "Change your email, password or second factor" })).toBeVisible();
  await told.getByRole("link", { name: "Correct it" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your account" })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  const right = `right-${email}`;
  await page.getByLabel("New email").fill(right);
  await page.locator("#email-password").fill("plywood-lantern-42");
  await page.getByRole("button", { name: "Change the email" }).click();
  await expect(page.getByRole("heading", { name: "Check your mail" })).toBeVisible();

  await page.goto(await linkMailedTo(academy, right));
  await page.getByRole("button", { name: "Confirm my new address" }).click();
  await page.getByRole("link", { name: "Continue to the academy" }).click();
  await page.waitForURL("**/dashboard");
  await page.goto("/profile");
  await expect(page.getByRole("definition").filter({ hasText: right })).toBeVisible();
  await expect(told).toHaveCount(0);
});

test("the bar about an unconfirmed address covers no control, and disappears once another tab has confirmed it", async ({
  page,
  academy,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const email = await signUp(page, academy);
  const told = barOf(page);
  await page.goto("/");
  await expect(told).toBeVisible();
  await page.evaluate(() => window.scrollTo({ top: 900, behavior: "instant" }));
  await expectAbove(told, page.getByRole("link", { name: "Enroll Now" }).last());
  expect((await told.boundingBox())?.height).toBeLessThan(80);
  await told.getByRole("button", { name: "Send again" }).click();
  await expectAbove(told, page.getByRole("button", { name: "Dismiss" }));

  await page.goto("/checkout?tier=basic&priceId=basic_monthly&name=Monthly%20Access&price=49");
  await expectLive(page);
  await expect(told).toBeVisible();
  const pay = page.getByRole("button", { name: "Pay $49.00" });
  await expect(pay).toBeEnabled();
  await page.getByLabel("ZIP Code").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(pay).toBeFocused();
  await expectAbove(told, pay);

  const other = await page.context().newPage();
  await other.goto(await linkMailedTo(academy, email));
  await other.getByRole("button", { name: "Confirm my address" }).click();
  await other.getByRole("link", { name: "Continue to the academy" }).click();
  await other.waitForURL("**/dashboard");
  // A headless browser treats all tabs as visible, so the test dispatches the event of returning to this one.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await expect(told).toHaveCount(0);
  await expect(pay).toBeVisible();
});

test("users with a confirmed address see no bar", async ({ page }) => {
  await signInAs(page, "basic@academy.test", "/profile");
  await expect(page.getByRole("heading", { level: 1, name: "My Profile" })).toBeVisible();
  await expect(barOf(page)).toHaveCount(0);
});

/** Expects the element to be visible above the bar. */
async function expectAbove(bar: Locator, element: Locator): Promise<void> {
  await expect(element).toBeInViewport();
  await expect(async () => {
    const [above, below] = await Promise.all([element.boundingBox(), bar.boundingBox()]);
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
  }).toPass();
}
