import { expect, signInAs, test } from "../academy.ts";

const annual = "/checkout?tier=premium&priceId=premium_annual&name=Annual%20Access&price=397";

test("a gateway's script that fails to load is reported, and Pay stays disabled", async ({ page }) => {
  await page.route("**/Accept.js", (route) => route.abort());
  await signInAs(page, "new@academy.test", annual);
  const sentence = "Failed to load payment system. Please refresh and try again.";
  await expect(page.getByText(sentence).first()).toBeVisible();
  await expect(page.getByRole("button", { name: /^Pay/ })).toBeDisabled();
});

test("missing gateway identifiers are a configuration error", async ({ page }) => {
  await page.route("**/api/authorize-net/config", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), clientKey: "" } });
  });
  await signInAs(page, "new@academy.test", annual);
  await expect(page.getByText("Configuration Error", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Pay/ })).toBeDisabled();
});

test("Enter before the script is ready says to wait, and sends nothing", async ({ page }) => {
  const arrived = Promise.withResolvers<void>();
  await page.route("**/Accept.js", async (route) => {
    await arrived.promise;
    await route.continue();
  });
  await signInAs(page, "new@academy.test", "/profile");
  await page.goto(annual, { waitUntil: "domcontentloaded" });
  await expect(page.getByRole("button", { name: /^Pay/ })).toBeDisabled();
  await page.getByLabel("ZIP Code").press("Enter");
  await expect(page.getByText("Payment system not ready", { exact: true })).toBeVisible();
  await expect(page.getByText("Please wait for the payment form to load completely.").first()).toBeVisible();
  arrived.resolve();
  await expect(page.getByRole("button", { name: /^Pay/ })).toBeEnabled();
});
