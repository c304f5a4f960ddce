import { acceptPayment } from "#contract/purchases/purchases.ts";
import { become, expect, expectAccessible, expectAccessibleInBothSchemes, fillCard, test } from "../academy.ts";

const lifetime = "/checkout?tier=vip&priceId=vip_lifetime&name=Lifetime%20Access&price=1497";

test("an upgrade shows its credit up to the receipt, and an outdated total is not charged [P41]", async ({
  page,
  academy,
}) => {
  await become(page.context(), await academy.buyer("basic"));
  await page.goto("/membership");
  const upgrades = page.getByRole("region", { name: "Upgrade" });
  await expect(upgrades.getByText("Your unused 30 of 30 days of Monthly Access").first()).toBeVisible();
  await expect(upgrades.getByText(/^Today \$348\.\d\d$/)).toBeVisible();
  await expect(upgrades.getByText("Monthly Access ends with this purchase and will not renew.").first()).toBeVisible();
  await expectAccessible(page);

  await upgrades.getByRole("link", { name: "Upgrade to Annual Access" }).click();
  const order = page.getByRole("region", { name: "Your order" });
  await expect(order.getByText(/^−\$48\.\d\d$/)).toBeVisible();
  await expect(order.getByText(/^\$348\.\d\d$/).last()).toBeVisible();
  await expect(order.getByText("Monthly Access ends with this purchase and will not renew.")).toBeVisible();
  await fillCard(page);
  await expectAccessible(page);
  await page.route("**/dashboard", (route) => route.abort("aborted"));
  await page.getByRole("button", { name: /^Pay \$348\.\d\d$/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payment Successful!");
  await expect(page.getByRole("main").getByText(/^\$348\.\d\d$/)).toBeVisible();

  await page.unroute("**/dashboard");
  await page.goto("/profile");
  await page
    .getByRole("link", { name: /receipt/i })
    .first()
    .click();
  await expect(page.getByText("Your unused 30 of 30 days of Monthly Access")).toBeVisible();
  await expect(page.getByText("$397.00")).toBeVisible();
  await expectAccessible(page);

  // Each total fits 320 pixels.
  const another = await academy.buyer("basic");
  await become(page.context(), another);
  await page.setViewportSize({ width: 320, height: 900 });
  const places = {
    "/membership": page.getByText(/^Today \$1,448\.\d\d$/),
    "/dashboard": page.getByText(/^Today \$348\.\d\d$/),
    [lifetime]: page.getByRole("button", { name: /^Pay \$1,448\.\d\d$/ }),
  };
  for (const [address, total] of Object.entries(places)) {
    await page.goto(address);
    if (address === "/dashboard") await page.getByRole("heading", { name: "How to Find Winning Products" }).click();
    await expect(total.first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), address).toBe(320);
    await expectAccessibleInBothSchemes(page);
  }

  await fillCard(page);
  // Another tab buys Annual Access, which is then credited for Lifetime Access.
  await another.call(acceptPayment, { body: await another.quotedPaymentFor("premium") });
  await page.getByRole("button", { name: /^Pay/ }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Your membership has changed");
  await expect(page.getByText("Your unused 365 of 365 days of Annual Access")).toBeVisible();
  await page.getByLabel("ZIP Code").fill("90210");
  await expect(page.getByRole("button", { name: /^Pay \$1,100\.\d\d$/ })).toBeEnabled();
});
