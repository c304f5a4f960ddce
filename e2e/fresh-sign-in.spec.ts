import type { Page } from "@playwright/test";
import { expect, expectAccessible, expectLive, signInAs, testAlone } from "./academy.ts";

testAlone(
  "sixteen minutes after the sign-in a file, a gift and a refund ask for another one, and lose nothing [A27]",
  async ({ page, ownAcademy: academy }) => {
    const student = await academy.visitor().signUp();
    const buyer = await academy.buyer("basic");
    const address = `/admin?search=${encodeURIComponent(student.email)}`;
    await signInAs(page, "admin@academy.test", address);
    await expectLive(page);
    const saved = page.waitForEvent("download");
    await page.getByRole("link", { name: "CSV" }).click();
    expect((await saved).suggestedFilename()).toMatch(/^users-.*\.csv$/);

    await academy.advance("16m");
    const confirm = page.getByRole("dialog", { name: "Confirm that it is you" });
    await page.getByRole("link", { name: "CSV" }).click();
    await expect(confirm).toBeVisible();
    await page.getByRole("button", { name: "Not now" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);

    await page.getByRole("button", { name: /^More actions for/ }).click();
    await page.getByRole("menuitem", { name: "Give access" }).click();
    const gift = page.getByRole("dialog", { name: /^Give access to/ });
    await gift.getByLabel("Plan").selectOption("vip");
    await gift.getByLabel("Reason").fill("Won the raffle");
    await gift.getByRole("button", { name: "Give access" }).click();
    await expect(confirm).toBeVisible();
    await expectAccessible(page);
    await signInAgain(page);
    await expect(gift.getByLabel("Reason")).toHaveValue("Won the raffle");
    await expect(gift.getByLabel("Plan")).toHaveValue("vip");
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(address);
    await gift.getByRole("button", { name: "Give access" }).click();
    await expect(page.getByText("User tier updated successfully").first()).toBeVisible();

    await page.goto(`/admin?tab=purchases&search=${encodeURIComponent(buyer.email)}`);
    await academy.advance("16m");
    await page.getByRole("button", { name: /^Refund (?!\$)/ }).click();
    const refund = page.getByRole("dialog", { name: /^Refund / });
    await refund.getByLabel(/^Reason/).fill("Asked for it");
    await refund.getByRole("button", { name: "Refund $49.00" }).click();
    await signInAgain(page);
    await expect(refund.getByLabel(/^Reason/)).toHaveValue("Asked for it");
    await refund.getByRole("button", { name: "Refund $49.00" }).click();
    await expect(page.getByText("$49.00 refunded").first()).toBeVisible();
  },
);

async function signInAgain(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Sign in again" }).click();
  await page.getByLabel("Email").fill("admin@academy.test");
  await page.getByLabel("Password", { exact: true }).fill("academy-demo");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}
