import { expect, expectAccessible, signInAs, test } from "../academy.ts";
import { fillCard } from "../forms.ts";

const lifetime = "/checkout?tier=vip&priceId=vip_lifetime&name=Lifetime%20Access&price=1497";

test("an upgrade shows its credit up to the receipt, and an outdated total is not charged [P41]", async ({
  page,
  academy,
}) => {
  await signInAs(page, await academy.buyer("basic"), "/membership");
  const upgrades = page.getByRole("region", { name: "Upgrade" });
  const line = "Your unused 30 of 30 days of Monthly Access (30/30 × $49.00)";
  await expect(upgrades.getByText(line).first()).toBeVisible();
  await expect(upgrades.getByText("Today $348.00")).toBeVisible();
  await expect(upgrades.getByText("Monthly Access ends with this purchase and won't renew.").first()).toBeVisible();

  await upgrades.getByRole("link", { name: "Upgrade to Annual Access" }).click();
  const order = page.getByRole("region", { name: "Your order" });
  await expect(order.getByText(line)).toBeVisible();
  await expect(order.getByText("−$49.00")).toBeVisible();
  await expect(order.getByText("$348.00").last()).toBeVisible();
  await expect(order.getByText("Monthly Access ends with this purchase and won't renew.")).toBeVisible();
  await fillCard(page);
  await page.route("**/dashboard", (route) => route.abort("aborted"));
  await page.getByRole("button", { name: "Pay $348.00" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payment Successful!");
  await expect(page.getByRole("main").getByText("$348.00")).toBeVisible();

  await page.unroute("**/dashboard");
  await page.goto("/profile");
  await page
    .getByRole("link", { name: /receipt/i })
    .first()
    .click();
  await expect(page.getByText(line)).toBeVisible();
  await expect(page.getByText("$397.00")).toBeVisible();
  await expectAccessible(page);

  const another = await academy.buyer("basic");
  await page.setViewportSize({ width: 320, height: 900 });
  await signInAs(page, another, lifetime);
  await expect(page.getByRole("button", { name: "Pay $1,448.00" })).toBeVisible();
  await fillCard(page);
  // Another tab buys Annual Access, which is then credited for Lifetime Access.
  await another.buyQuoted("premium");
  await page.getByRole("button", { name: /^Pay/ }).click();
  const notice = page.getByRole("main").getByRole("alert");
  await expect(notice).toHaveText(
    "Your membership has changed. Your total was updated to $1,100.00. You haven't been charged. Please check it and pay again.",
  );
  await expect(notice).toBeFocused();
  await expect(page.getByText("Payment Failed")).toHaveCount(0);
  await page.getByRole("button", { name: "Lifetime Access $1100" }).click();
  await expect(page.getByText("Your unused 365 of 365 days of Annual Access (365/365 × $397.00)")).toBeVisible();
  await page.route("**/dashboard", (route) => route.abort("aborted"));
  await page.getByRole("button", { name: "Pay $1,100.00" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payment Successful!");
});
