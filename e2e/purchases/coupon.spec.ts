import { confirmAddress } from "#test/coaching.ts";
import { makeCoupon, signUpConfirmed } from "#test/coupons.ts";
import { expect, expectAccessible, signInAs, test } from "../academy.ts";
import { fillCard } from "../forms.ts";

const monthly = "/checkout?tier=basic&priceId=basic_monthly&name=Monthly%20Access&price=49";
const annual = "/checkout?tier=premium&priceId=premium_annual&name=Annual%20Access&price=397";

test("a code is typed, refused, applied, removed and paid with, and the code of a URL is applied", async ({
  page,
  academy,
}) => {
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  await makeCoupon(administrator, "MONTH-15", await academy.now());
  const student = await signUpConfirmed(academy);
  await page.setViewportSize({ width: 320, height: 900 });
  await signInAs(page, student, monthly);
  const field = page.getByLabel("Coupon code");
  const consent = page.getByRole("checkbox");
  const order = page.getByRole("button", { name: /^(Monthly|Annual) Access/ });
  await order.click();
  await fillCard(page);

  await field.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Enter a code")).toBeVisible();
  await page.keyboard.type("no-such-code");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/^This code doesn't work for this purchase/)).toBeVisible();
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page);
  await consent.check();

  await field.fill(" month-15 ");
  await page.keyboard.press("Enter");
  await expect(page.getByText("MONTH-15 is applied.")).toBeVisible();
  await expect(page.getByText("$41.65 today, then $49.00 every 30 days").first()).toBeVisible();
  await expect(page.getByText("Coupon MONTH-15, for the first 30 days")).toBeVisible();
  // The card's input is still there. The tick is gone, because it was for another text.
  await expect(page.getByLabel("Card Number")).toHaveValue("4111 1111 1111 1111");
  await expect(consent).not.toBeChecked();
  await expect(consent).toHaveAccessibleName(/charged \$41\.65 today, then \$49\.00 every 30 days until I cancel/);
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

  await page.getByRole("button", { name: "Remove the coupon MONTH-15" }).press("Enter");
  await expect(page.getByRole("button", { name: /^Pay \$49\.00$/ })).toBeVisible();
  await expect(field).toHaveValue("");
  await field.fill("MONTH-15");
  await page.getByRole("button", { name: "Apply the code" }).press("Enter");
  await expect(page.getByText("MONTH-15 is applied.")).toBeVisible();
  await consent.check();
  await page.route("**/dashboard", (route) => route.abort("aborted"));
  await page.getByRole("button", { name: /^Pay \$41\.65$/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payment Successful!");
  await expect(page.getByRole("definition").filter({ hasText: "$49.00 every 30 days until you cancel" })).toBeVisible();
  expect(await student.subscription()).toMatchObject({ price: "49.00" });

  await page.unroute("**/dashboard");
  await page.goto("/profile");
  const receipt = page.getByRole("link", { name: /receipt/i }).first();
  await receipt.click();
  await expect(page.getByText("Coupon MONTH-15, for the first 30 days")).toBeVisible();

  await makeCoupon(administrator, "FROM-LINK", await academy.now());
  await page.context().clearCookies();
  await page.goto("/signup?tier=premium&priceId=premium_annual&price=397&code=from-link");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByLabel("First name").fill("Ada");
  await page.getByLabel("Last name").fill("Vendor");
  const email = `linked-${Date.now()}@example.test`;
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill("plywood-lantern-42");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(/\/checkout\?.*code=from-link/);
  await expect(page.getByText(/^Confirm your email address to use a code/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Pay $397.00" })).toBeEnabled();
  await confirmAddress(academy, { email });
  await page.getByRole("button", { name: "Apply the code" }).click();
  await expect(page.getByRole("button", { name: "Pay $337.45" })).toBeEnabled();
  await expect(page.getByText("FROM-LINK is applied.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("FROM-LINK is applied.")).toBeVisible();

  await page.goto(`${annual}&code=gone`);
  await expect(field).toHaveValue("gone");
  await expect(page.getByText(/^This code doesn't work for this purchase/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Pay $397.00" })).toBeEnabled();

  // A coupon for renewals names both prices at the checkout and on the pages of the membership.
  await makeCoupon(administrator, "HALF-3", await academy.now(), { value: 50, renewals: 2 });
  await signInAs(page, await signUpConfirmed(academy), `${monthly}&code=HALF-3`);
  await expect(consent).toHaveAccessibleName(
    "I agree that this card is charged $24.50 today and for the next 2 payments, then $49.00 every 30 days until I cancel. I can cancel at any time.",
  );
  await fillCard(page);
  await consent.check();
  await page.route("**/dashboard", (route) => route.abort("aborted"));
  await page.getByRole("button", { name: /^Pay \$24\.50$/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payment Successful!");
  const both = "$24.50 for 2 more payments, then $49.00 every 30 days";
  await expect(page.getByRole("definition").filter({ hasText: `${both} until you cancel` })).toBeVisible();
  await page.unroute("**/dashboard");

  await page.goto("/membership");
  await expect(page.getByRole("definition").filter({ hasText: both })).toBeVisible();
  await page.goto("/payment-method");
  await expect(page.getByText(`renewals are charged to this card: ${both} until you cancel`)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});
