import { expect, expectAccessible, signInAs, test } from "./academy.ts";
import { watchConsole } from "./console.ts";

for (const path of ["/payment-test", "/admin/reconciliation"]) {
  test(`${path} is for administrators: visitors sign in, students are denied`, async ({ page }) => {
    await page.goto(path);
    await page.getByRole("button", { name: "Continue as vip@academy.test" }).click();
    await page.waitForURL(`**${path}`);
    await expect(page.getByRole("heading", { name: "Access Denied" })).toBeVisible();
    await expect(page.getByText("You don't have administrator privileges to access this page.")).toBeVisible();
    await expectAccessible(page);
  });
}

test("the payment test asks the gateway, charges one dollar and voids it", async ({ page, academy }) => {
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

test("a difference between the books is listed, and its action mends it", async ({ page, academy }) => {
  const complaints = watchConsole(page);
  await signInAs(page, "admin@academy.test", "/admin/reconciliation");
  await page.getByRole("button", { name: "Compare now" }).click();
  await expect(page.getByText("The books agree.")).toBeVisible();
  await expectAccessible(page);

  const buyer = await academy.visitor().signUp();
  const body = await buyer.paymentFor("basic");
  const bought = await (await buyer.send("POST", "/api/authorize-net/accept-payment", JSON.stringify(body))).json();
  await fetch(`${academy.url}/sandbox/api/gateway/stage`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ transId: (bought as { transactionId: string }).transactionId, as: "settlementError" }),
  });
  await page.getByRole("button", { name: "Compare now" }).click();
  await expect(page.getByRole("heading", { name: "Approved, but never settled" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "End the access" }).click();
  await page.getByRole("button", { name: "Yes, end the access" }).click();
  await expect(page.getByText("The books agree.")).toBeVisible();
  await expect(page.getByText(/Access ended/)).toBeVisible();
  complaints.expectEmpty();
});
