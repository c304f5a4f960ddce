import { buyerOf, expect, expectAccessible, expectLive, signInAs, testAlone } from "./academy.ts";

testAlone(
  "a gift sixteen minutes after the sign-in asks for another one, and comes back to what was typed [A27]",
  async ({ page, ownAcademy: academy }) => {
    const student = await academy.visitor().signUp();
    const address = `/admin?search=${encodeURIComponent(student.email)}`;
    await signInAs(page, "admin@academy.test", address);
    await academy.advance("16m");
    await expectLive(page);

    await page.getByRole("button", { name: /^More actions for/ }).click();
    await page.getByRole("menuitem", { name: "Give access" }).click();
    const gift = page.getByRole("dialog", { name: /^Give access to/ });
    await gift.getByLabel("Plan").selectOption("vip");
    await gift.getByLabel("Reason").fill("Won the raffle");
    await gift.getByRole("button", { name: "Give access" }).click();

    const confirm = page.getByRole("dialog", { name: "Confirm that it is you" });
    await expect(confirm).toBeVisible();
    await expectAccessible(page);
    await confirm.getByRole("link", { name: "Sign in again" }).click();
    await page.getByLabel("Email").fill("admin@academy.test");
    await page.getByLabel("Password", { exact: true }).fill("academy-demo");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();

    await expect(gift.getByLabel("Reason")).toHaveValue("Won the raffle");
    await expect(gift.getByLabel("Plan")).toHaveValue("vip");
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(address);
    await gift.getByRole("button", { name: "Give access" }).click();
    await expect(page.getByText("User tier updated successfully").first()).toBeVisible();
  },
);

testAlone(
  "a refund sixteen minutes after the sign-in is made after another one",
  async ({ page, ownAcademy: academy }) => {
    const student = await buyerOf(academy, "basic");
    await signInAs(page, "admin@academy.test", `/admin?tab=purchases&search=${encodeURIComponent(student.email)}`);
    await academy.advance("16m");
    await expectLive(page);

    await page.getByRole("button", { name: /^Refund (?!\$)/ }).click();
    const refund = page.getByRole("dialog", { name: /^Refund / });
    await refund.getByLabel(/^Reason/).fill("Asked for it");
    await refund.getByRole("button", { name: "Refund $49.00" }).click();
    await page.getByRole("link", { name: "Sign in again" }).click();
    await page.getByLabel("Email").fill("admin@academy.test");
    await page.getByLabel("Password", { exact: true }).fill("academy-demo");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();

    await expect(refund.getByLabel(/^Reason/)).toHaveValue("Asked for it");
    await refund.getByRole("button", { name: "Refund $49.00" }).click();
    await expect(page.getByText("$49.00 refunded").first()).toBeVisible();
  },
);

testAlone("a file of people is saved after a fresh sign-in, and not before", async ({ page, ownAcademy: academy }) => {
  await signInAs(page, "admin@academy.test", "/admin");
  await expectLive(page);
  const saved = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  expect((await saved).suggestedFilename()).toMatch(/^users-.*\.csv$/);

  await academy.advance("16m");
  await page.getByRole("link", { name: "CSV" }).click();
  await expect(page.getByRole("dialog", { name: "Confirm that it is you" })).toBeVisible();
  await page.getByRole("button", { name: "Not now" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
