import type { Page } from "@playwright/test";
import { updateProfile } from "#contract/profile.ts";
import type { RunningAcademy } from "#test/academy.ts";
import { become, expect, expectAccessible, holdBack, signInAs, test } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { fillCard } from "../forms.ts";

const annual = "/checkout?tier=premium&priceId=premium_annual&name=Annual%20Access&price=397";
const monthly = "/authorize-checkout?tier=basic&priceId=basic_monthly&name=Monthly%20Access&price=49";
const pay = (page: Page) => page.getByRole("button", { name: /^Pay/ });

/** Signs up a new student and opens a URL of the academy. */
async function signUpAt(page: Page, academy: RunningAcademy, address: string): Promise<void> {
  await signInAs(page, await academy.visitor().signUp(), address);
}

test("the checkout requires a plan, formats the card, and reports problems at their fields", async ({
  page,
  academy,
}) => {
  await signUpAt(page, academy, "/checkout?tier=gold&price=1");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Invalid session");
  await expect(page.getByRole("link", { name: /pricing/i }).last()).toHaveAttribute("href", "/#pricing");

  await page.goto(annual);
  await expect(pay(page)).toBeEnabled();
  await pay(page).click();
  await expect(page.getByText("Missing Information").first()).toBeVisible();
  await expect(page.getByText("Please fill in all required fields.").first()).toBeVisible();
  await expect(page.getByLabel("Card Number")).toBeFocused();
  await expectAccessible(page);

  await page.getByLabel("Card Number").fill("4111-1111x1111 1111 99999");
  await expect(page.getByLabel("Card Number")).toHaveValue("4111 1111 1111 1111");
  await page.getByLabel("Card Number").fill("3700-0000 0000 0025");
  await expect(page.getByLabel("Card Number")).toHaveValue("3700 000000 00002");
  await expect(page.getByLabel("CVV")).toHaveAttribute("placeholder", "4 digits");
  await page.getByLabel("CVV").fill("12345");
  await expect(page.getByLabel("CVV")).toHaveValue("1234");
  await page.getByLabel("ZIP Code").fill("12345-678901");
  await expect(page.getByLabel("ZIP Code")).toHaveValue("12345-6789");

  const student = await academy.visitor().signUp();
  const body = { firstName: "A".repeat(60), lastName: "Shelf", phone: "", location: "", bio: "" };
  expect((await student.call(updateProfile, { body })).status).toBe(200);
  await signInAs(page, student, annual);
  await fillCard(page);
  const name = page.getByLabel("First Name");
  const email = page.getByLabel("Email");
  await email.fill("ada@shelf");
  await pay(page).click();
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription("Use 50 characters or fewer.");
  await name.fill("Ada");
  await pay(page).click();
  await expect(page.getByRole("main").getByText("Payment Failed")).toBeVisible();
  await expect(email).toBeFocused();
  await expect(email).toHaveAccessibleDescription(/Invalid email/);
  await email.fill("zoë@полка.test");
  await pay(page).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payment Successful!");
});

test("a link's other price, or one that changes meanwhile, shows today's price and charges nothing [P01]", async ({
  page,
  academy,
}) => {
  await signUpAt(page, academy, annual.replace("price=397", "price=1"));
  await expect(page.getByText(/has an old price. Annual Access now costs \$397/)).toBeVisible();
  await expect(page.getByLabel("Card Number")).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Continue for $397" }).click();
  await page.waitForURL((url) => url.searchParams.get("price") === "397");
  await expect(pay(page)).toBeEnabled();

  // A credit may lower the total of who has a plan.
  await signInAs(page, "basic@academy.test", annual.replace("price=397", "price=1"));
  await page.getByRole("link", { name: "Continue for $397" }).waitFor();
  await expect(page.getByText("Total today")).toHaveCount(0);
  await page.getByRole("link", { name: "Continue for $397" }).click();
  await expect(page.getByText("Total today")).toBeVisible();
  await expect(page.getByText(/Your unused .* of Monthly Access/).first()).toBeVisible();

  // The price changes while the card is typed.
  const priced = /\/api\/(course-pricing|checkout\/quote)$/;
  await page.route(priced, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll("397", "300") });
  });
  await signUpAt(page, academy, annual.replace("price=397", "price=300"));
  await fillCard(page);
  await page.unroute(priced);
  const before = (await academy.ledger()).length;
  await pay(page).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Your total was updated to $397.00.");
  await expect(page.getByRole("button", { name: "Pay $397.00" })).toBeEnabled();
  await expect(page.getByLabel("Card Number")).toHaveValue("4111 1111 1111 1111");
  expect((await academy.ledger()).length).toBe(before);
});

test("no other script is loaded, a failure says why, and two clicks charge once [H02 H03 P04]", async ({
  page,
  context,
  academy,
}) => {
  const complaints = watchConsole(page);
  await page.clock.install();
  await signUpAt(page, academy, annual);
  await expect(pay(page)).toBeEnabled();
  const scripts = await page.evaluate(() => [...document.scripts].map((script) => script.src).filter(Boolean));
  const foreign = scripts.filter((src) => !src.startsWith(`${academy.url}/assets/`));
  expect(foreign.map((src) => new URL(src).pathname)).toEqual(["/sandbox/gateway/v1/Accept.js"]);
  complaints.expectEmpty();

  const answers = [
    { status: 200, json: { success: false, message: "The card was not accepted." } },
    { status: 402, json: { success: false, message: "Ask your bank." } },
    { status: 500, body: "oops" },
  ];
  await page.route("**/accept-payment", (route) => route.fulfill(answers.shift()));
  await fillCard(page);
  for (const message of ["The card was not accepted.", "Ask your bank.", "Payment processing failed"]) {
    await pay(page).click();
    const failure = page.getByRole("main").getByRole("alert");
    await expect(failure).toHaveText(`Payment Failed${message}`);
    await expect(page.getByRole("region", { name: /^Notifications/ }).getByText(message)).toBeVisible();
  }
  await expect(page.getByRole("heading").first()).toHaveText("Checkout");
  await page.unroute("**/accept-payment");

  // A card without a token, and one paid offline.
  const tokens = "**/sandbox/gateway/xml/v1/request.api";
  const endSilence = await holdBack(page, tokens);
  const payments: string[] = [];
  page.on("request", (request) => void (request.url().endsWith("/accept-payment") && payments.push(request.url())));
  const asked = page.waitForRequest(tokens);
  await pay(page).click();
  await asked;
  await page.clock.fastForward(30_000);
  const sentence = page.getByText(/can't reach the payment service. You haven't been charged/);
  await expect(sentence.first()).toBeVisible();
  await expect(pay(page)).toBeEnabled();
  const answered = page.waitForResponse(tokens);
  endSilence();
  await (await answered).finished();
  await page.reload();
  expect(payments).toEqual([]);

  await fillCard(page);
  await expect(pay(page)).toBeEnabled();
  await context.setOffline(true);
  await pay(page).click();
  await expect(page.getByRole("main").getByText("You're offline. You haven't been charged.")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByLabel("Card Number")).toHaveValue("4111 1111 1111 1111");
  expect(payments).toEqual([]);
  const before = (await academy.ledger()).length;
  await academy.nextCharges("slow:800");
  await pay(page).dblclick();
  await expect(page.getByText("Payment Successful!").first()).toBeVisible();
  expect((await academy.ledger()).length).toBe(before + 1);
  expect(payments).toHaveLength(1);
});

test("a renewing plan requires consent, and a declined card shows the reason and can be retried [P11]", async ({
  page,
  academy,
}) => {
  await page.clock.install();
  await signUpAt(page, academy, monthly);
  await expect(page.getByText(/every 30 days/).first()).toBeVisible();
  await fillCard(page, "46282");
  const before = (await academy.ledger()).length;
  await pay(page).click();
  await expect(page.getByRole("checkbox")).toBeFocused();
  expect((await academy.ledger()).length).toBe(before);
  await page.getByRole("checkbox").check();
  await pay(page).click();
  await expect(page.getByRole("region", { name: /^Notifications/ }).getByText("Payment Failed")).toBeVisible();
  await expect(page.getByRole("main").getByText("Payment Failed")).toBeVisible();
  await page.getByLabel("ZIP Code").fill("90210");
  await page.route("**/dashboard", (route) => route.abort("aborted"));
  const leaving = page.waitForRequest("**/dashboard");
  await pay(page).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payment Successful!");
  await expect(page.getByRole("main").getByText(/^Welcome to Monthly Access/)).toBeVisible();
  await expectAccessible(page);
  await page.clock.fastForward(3000);
  await leaving;
  // Going back to the receipt does not redirect again.
  await expect(page.getByText("Your dashboard opens in three seconds.")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Go to dashboard now" })).toBeVisible();
});

test("a new account buys by keyboard alone after a decline, with each alert in view", async ({ page, academy }) => {
  await page.route("**/dashboard", (route) => route.abort("aborted"));
  for (const [width, height] of [
    [390, 664],
    // As on 1280 × 720 at 400 %.
    [320, 180],
  ] as const) {
    await page.setViewportSize({ width, height });
    if (height > 200) {
      await page.goto("/signup?tier=premium&priceId=premium_annual&price=397");
      await page.getByRole("button", { name: "Create account" }).press("Enter");
      await expect(page.getByLabel("First name")).toBeFocused();
      await typeInTurn(page, ["Ada", "Vendor", `keys-${Date.now()}@example.test`, "plywood-lantern-42"]);
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.pathname === "/checkout");
      await expect(page.getByLabel("First Name")).toHaveValue("Ada");
      expect(await page.evaluate(() => localStorage.getItem("planTier"))).toBe("premium");
    } else {
      await signUpAt(page, academy, annual);
    }
    await expect(pay(page)).toBeEnabled();
    await page.getByLabel("First Name").focus();
    const year = String(new Date().getFullYear() + 2);
    await typeInTurn(page, ["", "", "", "4111111111111111", "12", year, "900", "46282"]);
    await page.keyboard.press("Enter");
    const failure = page.getByRole("main").getByRole("alert");
    await expect(failure).toBeFocused();
    await expect(page.getByRole("region", { name: /^Notifications/ }).getByText("Payment Failed")).toBeVisible();
    for (const seen of height > 200 ? [failure, pay(page)] : [failure]) {
      await expect(seen).toBeInViewport({ ratio: 1 });
      expect(await seen.evaluate(isUncovered)).toBe(true);
    }
    await page.keyboard.press("Shift+Tab");
    await expect(page.getByLabel("ZIP Code")).toBeFocused();
    await page.keyboard.type("90210");
    await page.keyboard.press("Enter");
    const title = page.getByRole("heading", { level: 1 });
    await expect(title).toHaveText("Payment Successful!");
    await expect(title).toBeFocused();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await expect(page.getByRole("region", { name: /^Notifications/ }).getByText("Payment Successful!")).toBeVisible();
    if (height > 200) {
      expect(await page.getByRole("link", { name: "Go to dashboard now" }).evaluate(isUncovered)).toBe(true);
      expect(await page.evaluate(() => localStorage.getItem("planTier"))).toBeNull();
      await page.goto(annual);
      await expect(title).toHaveText("Nothing to pay");
      await expect(page.getByText("You just bought Annual Access.")).toBeVisible();
    }
  }
});

function isUncovered(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect();
  const corners = [y + 2, y + height - 2].map((at) => document.elementFromPoint(x + width / 2, at));
  return corners.every((found) => element.contains(found));
}

/** Types each text into a field, from the focused one on. */
async function typeInTurn(page: Page, texts: readonly string[]): Promise<void> {
  for (const [at, text] of texts.entries()) {
    if (at > 0) await page.keyboard.press("Tab");
    await page.keyboard.type(text);
  }
}

test("a buyer whose sign-in has ended signs in elsewhere, and pays with what was typed", async ({ page, academy }) => {
  const student = await academy.visitor().signUp();
  await signInAs(page, student, monthly);
  await fillCard(page);
  // The only statement about renewal.
  await expect(page.getByText(/renew|every 30 days/i)).toHaveCount(1);
  await page.getByRole("checkbox").check();
  await page.context().clearCookies();
  await pay(page).click();
  const failure = page.getByRole("main").getByRole("alert");
  await expect(failure).toContainText("Payment Failed");
  await expect(failure.getByRole("link", { name: "Sign in in a new tab" })).toHaveAttribute("target", "_blank");
  await expectAccessible(page);
  await become(page.context(), student);
  await pay(page).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payment Successful!");

  // A second purchase has no refund.
  await page.goto(annual);
  await expect(pay(page)).toBeEnabled();
  await expect(page.getByText(/refund/)).toHaveCount(0);
  await signUpAt(page, academy, annual);
  await expect(page.getByText("First purchases can be refunded within 7 days.")).toBeVisible();
});

test("nothing is sold to who has it, is on hold or suspended, and no card asked where nothing renews", async ({
  page,
}) => {
  const complaints = watchConsole(page);
  for (const [account, title, link] of [
    ["held", "Account On Hold", "Update Payment Method"],
    ["suspended", "Account Suspended", "Contact Support"],
  ] as const) {
    await signInAs(page, `${account}@academy.test`, annual);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect(page.getByRole("main").getByRole("link", { name: link })).toBeVisible();
    await expect(page.getByText("Total today")).toHaveCount(0);
  }
  await expectAccessible(page);
  complaints.expectEmpty();
  await signInAs(page, "vip@academy.test", annual);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nothing to pay");
  await expect(page.getByText("You have Lifetime Access, which includes everything in Annual Access.")).toBeVisible();
  await expect(page.getByLabel("Card Number")).toHaveCount(0);
  await page.getByRole("main").getByRole("link", { name: "Go to your dashboard" }).click();
  await page.waitForURL("**/dashboard");

  // The card page.
  await page.context().clearCookies();
  const heading = page.getByRole("heading", { level: 1 });
  await page.goto("/payment-method");
  await expect(heading).toHaveText("Authentication required");
  await page.goto("/membership");
  await expect(heading).toHaveText("Please Sign In");
  await signInAs(page, "held@academy.test", "/payment-method");
  await expect(page.getByRole("heading", { name: "Your membership" })).toBeVisible();
  await expect(page.getByRole("heading").first()).toHaveText("Pay with a new card");
  await signInAs(page, "premium@academy.test", "/payment-method");
  await expect(heading).toHaveText("Nothing renews");
  await expectAccessible(page);
  await page.getByRole("link", { name: "See your membership" }).click();
  await expect(page.getByText(/Annual Access doesn't renew/)).toBeVisible();
  const another = page.getByRole("link", { name: "Buy another year" });
  // Until the plans are loaded it links to all of them.
  await expect(another).toHaveAttribute("href", /^\/checkout/);
  await another.click();
  await page.waitForURL("**/checkout?tier=premium**");
  await signInAs(page, "suspended@academy.test", "/payment-method");
  await expect(heading).toHaveText("Account Suspended");
});
