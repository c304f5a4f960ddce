import { expect, holdBack, signInAs, test } from "../academy.ts";

const annual = "/checkout?tier=premium&priceId=premium_annual&name=Annual%20Access&price=397";

test("the checkout waits for the gateway's script, and says so when it or its settings are missing", async ({
  page,
}) => {
  const pay = page.getByRole("button", { name: /^Pay/ });
  await page.route("**/Accept.js", (route) => route.abort());
  await signInAs(page, "new@academy.test", annual);
  const sentence = "Failed to load payment system. Please refresh and try again.";
  await expect(page.getByText(sentence).first()).toBeVisible();
  await expect(pay).toBeDisabled();
  await page.unroute("**/Accept.js");
  await page.getByLabel("ZIP Code").fill("46282");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(pay).toBeEnabled();
  await expect(page.getByLabel("ZIP Code")).toHaveValue("46282");

  await page.route("**/api/authorize-net/config", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), clientKey: "" } });
  });
  await page.reload();
  await expect(page.getByText("Configuration Error", { exact: true })).toBeVisible();
  await expect(pay).toBeDisabled();
  await page.unroute("**/api/authorize-net/config");

  const letArrive = await holdBack(page, "**/Accept.js");
  await page.clock.install();
  await page.goto(annual, { waitUntil: "domcontentloaded" });
  await expect(pay).toBeDisabled();
  await page.getByLabel("ZIP Code").press("Enter");
  await expect(page.getByText("Payment system not ready", { exact: true })).toBeVisible();
  await expect(page.getByText("Please wait for the payment form to load completely.").first()).toBeVisible();
  await page.clock.fastForward("00:11");
  await expect(page.getByText(sentence).first()).toBeVisible();
  letArrive();
  await expect(pay).toBeEnabled();
});
