import { expect, expectAccessible, signInAs, test } from "../academy.ts";
import { watchConsole } from "../console.ts";

test("the payment test contacts the gateway, charges one dollar and voids it", async ({ page, academy }) => {
  const complaints = watchConsole(page);
  await signInAs(page, "admin@academy.test", "/payment-test");
  await page.getByRole("button", { name: /connection/i }).click();
  await expect(page.getByText("Test Successful").first()).toBeVisible();
  await page.getByRole("button", { name: /\$1\.00/ }).click();
  await expect(page.getByText(/approved and voided/).first()).toBeVisible();
  const [newest] = (await academy.ledger()).filter((row) => Number(row.amount) === 1);
  expect(newest?.status).toBe("voided");
  await expectAccessible(page);
  complaints.expectEmpty();
});
