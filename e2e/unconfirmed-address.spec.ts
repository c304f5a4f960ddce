import type { Locator } from "@playwright/test";
import { expect, expectAccessibleInBothSchemes, expectLive, signInAs, test } from "./academy.ts";

test("an unconfirmed address is told on every page, covers nothing, and can be corrected and confirmed", async ({
  page,
  academy,
}) => {
  const student = await academy.visitor().signUpAtIssuer();
  const email = student.email;
  await page.setViewportSize({ width: 390, height: 844 });
  const told = page.getByRole("region", { name: "Address to confirm" });
  await signInAs(page, student, "/");
  await expect(told).toContainText(`Open the link that we sent to ${email}`);
  await page.evaluate(() => window.scrollTo({ top: 900, behavior: "instant" }));
  await expectAbove(told, page.getByRole("link", { name: "Enroll Now" }).last());
  expect((await told.boundingBox())?.height).toBeLessThan(80);
  await told.getByRole("button", { name: "Send again" }).click();
  await expectAbove(told, page.getByRole("button", { name: "Dismiss" }));
  await expect(page.getByText(`Check the inbox of ${email}.`, { exact: true })).toBeVisible();
  await expect
    .poll(async () => (await academy.mails(email)).filter(({ subject }) => subject.startsWith("Confirm")).length)
    .toBe(2);

  // A bar would cover the button that pays, or why it did not.
  await page.goto("/checkout?tier=basic&priceId=basic_monthly&name=Monthly%20Access&price=49");
  await expectLive(page);
  await expect(page.getByText(`Please confirm ${email}: open the link that we sent you.`)).toBeVisible();
  await expect(told).toHaveCount(0);
  await page.goto("/contact");
  await expect(told).toBeVisible();

  const course = await page.context().newPage();
  await course.goto("/course-access");
  const toldThere = course.getByRole("region", { name: "Address to confirm" });
  await expect(toldThere).toBeVisible();

  const other = await page.context().newPage();
  await other.goto("/profile");
  await expect(other.getByRole("link", { name: "Change your email, password or second factor" })).toBeVisible();
  await other.getByRole("region", { name: "Address to confirm" }).getByRole("link", { name: "Correct it" }).click();
  await expect(other.getByRole("heading", { level: 1, name: "Your account" })).toBeVisible();
  await expectAccessibleInBothSchemes(other);
  const right = `right-${email}`;
  await other.getByLabel("New email").fill(right);
  await other.locator("#email-password").fill("plywood-lantern-42");
  await other.getByRole("button", { name: "Change email" }).click();
  await expect(other.getByRole("heading", { name: "Check your email" })).toBeVisible();
  const { text } = await academy.mailTo({ email: right }, /./);
  await other.goto(/https?:\/\/\S+token=\S+/.exec(text)?.[0] ?? "");
  await other.getByRole("button", { name: "Confirm my new email address" }).click();
  await other.getByRole("link", { name: "Continue to the academy" }).click();
  await other.waitForURL("**/dashboard");
  await other.goto("/profile");
  await expect(other.getByRole("definition").filter({ hasText: right })).toBeVisible();
  await expect(other.getByRole("region", { name: "Address to confirm" })).toHaveCount(0);

  await course.getByRole("link", { name: "Profile" }).click();
  await expect(toldThere).toHaveCount(0);

  // A headless browser treats all tabs as visible, so the test dispatches the event of returning to this one.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await expect(told).toHaveCount(0);
});

/** Expects the element to be visible above the bar. */
async function expectAbove(bar: Locator, element: Locator): Promise<void> {
  await expect(element).toBeInViewport();
  await expect(async () => {
    const [above, below] = await Promise.all([element.boundingBox(), bar.boundingBox()]);
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
  }).toPass();
}
