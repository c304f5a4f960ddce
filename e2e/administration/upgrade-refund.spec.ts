import { getCourseAccess } from "#contract/access.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { expect, signInAs, testAlone } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { choose, expectToast } from "./page.ts";

testAlone(
  "the refund of an upgrade says what goes back and which days begin again",
  async ({ page, ownAcademy: academy }) => {
    const complaints = watchConsole(page);
    const student = await academy.buyer("basic");
    const upgrade = await student.quotedPaymentFor("vip");
    expect((await student.call(acceptPayment, { body: upgrade })).status).toBe(200);
    const open = async () => {
      await signInAs(page, "admin@academy.test", `/admin?tab=purchases&search=${encodeURIComponent(student.email)}`);
      const row = page.getByRole("row", { name: /Lifetime Access/ }).filter({ hasText: student.email });
      await choose(row, "Refund");
      return row;
    };
    const dialog = page.getByRole("dialog");
    const said = (name: string) => dialog.getByText(name, { exact: true }).locator("xpath=following-sibling::dd");
    const paid = `$${upgrade.amount.toLocaleString("en-US", { minimumFractionDigits: 2 })}`;
    const both = `$${(upgrade.amount + 49).toLocaleString("en-US", { minimumFractionDigits: 2 })}`;

    await open();
    await expect(said("This refund")).toHaveText(paid);
    await expect(said("Also refunded")).toHaveText(
      "$49.00 of Monthly Access, because the student upgraded within its refund window",
    );
    await expect(dialog.getByRole("button", { name: `Refund ${both}` })).toBeEnabled();
    await page.setViewportSize({ width: 320, height: 800 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await page.keyboard.press("Escape");

    await academy.advance("8d");
    const row = await open();
    await expect(dialog.getByText(/^Outside of the policy since/)).toBeVisible();
    await expect(dialog.getByText("Also refunded")).toHaveCount(0);
    await expect(said("Restored")).toHaveText(
      "30 days of Monthly Access, which won’t renew, once no higher plan is active",
    );
    await expect(said("Access afterwards")).toHaveText(/^Ends\. Afterwards: Monthly Access until /);
    await dialog.getByRole("textbox", { name: /^Reason/ }).fill("Lifetime was a misunderstanding");
    await dialog.getByRole("button", { name: `Refund ${paid}` }).press("Enter");
    await expectToast(page, `${paid} refunded`);
    await expect(row.getByText("Refunded", { exact: true })).toBeVisible();
    await student.signInAgain();
    expect((await student.call(getCourseAccess)).body).toMatchObject({ hasAccess: true, tier: "basic" });
    complaints.expectEmpty();
  },
);
