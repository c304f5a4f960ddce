import { expect, signInAs, test } from "../academy.ts";

test("payment tests say what failed, and a production academy offers none", async ({ page, academy }) => {
  await signInAs(page, "admin@academy.test", "/payment-test");
  await academy.nextCharges("decline");
  await page.getByRole("button", { name: "Test $1.00 Payment" }).click();
  await expect(page.getByText("Payment Test Failed").first()).toBeVisible();
  await expect(page.getByRole("main").getByText("Failed", { exact: true })).toBeVisible();

  await page.route("**/test-direct", (route) => route.abort());
  await page.getByRole("button", { name: "Test Connection" }).click();
  await expect(page.getByText("Test Error", { exact: true })).toBeVisible();

  await page.route("**/api/authorize-net/config", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), environment: "production" } });
  });
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payment tests are off in production");
  await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
});
