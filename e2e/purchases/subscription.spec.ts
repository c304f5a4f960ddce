import type { Page } from "@playwright/test";
import type { RunningAcademy } from "#test/academy.ts";
import { expect, expectAccessible, signInAs, testAlone } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { fillCard } from "../forms.ts";

const monthly = "/checkout?tier=basic&priceId=basic_monthly&name=Monthly%20Access&price=49";
const heading = (page: Page) => page.getByRole("heading", { level: 1 });

async function rescueLink(academy: RunningAcademy, email: string): Promise<string> {
  const { text } = await academy.mailTo({ email }, /didn't go through/);
  return /\S+\/payment-method#\S+/.exec(text)?.[0] ?? "";
}

testAlone(
  "a month is bought, renewed, rescued, resumed; a hold ends, also if answers are lost [P07 P27 P28]",
  async ({ page, browser, ownAcademy: academy }) => {
    const email = "new@academy.test";
    const complaints = watchConsole(page);
    await signInAs(page, email, monthly);
    await fillCard(page);
    await page.getByRole("checkbox").check();
    await academy.tellReference("unavailable");
    await academy.nextCharges("reset-after");
    await page.getByRole("button", { name: /^Pay/ }).click();
    await expect(page.getByText("Do not pay again", { exact: false }).first()).toBeVisible();
    await expect(page.locator(":focus")).toContainText("You can leave");
    await page.reload();
    await expect(page.getByText("Do not pay again", { exact: false }).first()).toBeVisible();
    await expect(page.getByRole("button", { name: /^Pay/ })).toHaveCount(0);
    await academy.tellReference("told");
    await academy.advance("5m");
    await expect(heading(page)).toHaveText("Payment Successful!");
    // Leaves the page, which would otherwise send requests with an expired session.
    await page.goto("about:blank");

    await academy.advance("30d");
    await academy.mailTo({ email }, /was renewed: receipt for \$49/);
    // The demo's monthly student is charged on the same day.
    await academy.nextCharges("decline", "decline");
    await academy.advance("30d");
    const link = await rescueLink(academy, email);
    // The session has expired after months.
    await signInAs(page, email, "/dashboard");
    const banner = page.getByText("Your last payment didn't go through.");
    await expect(banner).toBeVisible();
    await expect(page.getByText(/We'll try again on \w+ \d+, \d{4}/)).toBeVisible();

    // A visitor without a session rescues it by the email's link. Neither the URL nor any request shows its token.
    const other = await browser.newPage({ baseURL: academy.url });
    const asked: string[] = [];
    other.on("request", (request) => asked.push(`${request.url()} ${request.headers().referer ?? ""}`));
    await other.goto(link);
    await expect(heading(other)).toHaveText("Pay with a new card");
    await expect(other.getByText("$49.00 is due for Monthly Access")).toBeVisible();
    await expect(other.getByText(/^Open until/)).toBeVisible();
    expect(other.url()).toBe(`${academy.url}/payment-method`);
    const token = link.slice(link.indexOf("#") + 1);
    expect(asked.filter((line) => line.includes(token))).toEqual([]);
    await expectAccessible(other);
    const pay = other.getByRole("button", { name: "Pay $49.00 and save card" });
    await fillCard(other, "46282");
    await pay.click();
    await expect(other.getByText("Last Name is required.")).toBeVisible();
    await other.getByLabel("Last Name").fill("Till");
    await pay.click();
    await expect(other.getByRole("main").getByText("Payment Failed")).toBeVisible();
    await other.getByLabel("ZIP Code").fill("90210");
    await pay.click();
    await expect(heading(other)).toHaveText("Payment Successful!");
    await other.goto("/");
    await other.goto(link);
    await expect(heading(other)).toHaveText("This link doesn't work anymore");
    await expect(other.getByRole("link", { name: "Sign in" })).toBeVisible();

    await page.reload();
    await expect(page.getByRole("heading", { name: "Modules" })).toBeVisible();
    await expect(banner).toHaveCount(0);

    const refused = await page.context().newPage();
    await refused.goto("/payment-method");
    await fillCard(refused, "46282");
    await refused.getByRole("button", { name: "Save card" }).click();
    await expect(refused.getByRole("main").getByText("Card not saved")).toBeVisible();
    await expect(refused.getByText("Payment Failed")).toHaveCount(0);
    await refused.close();

    await page.goto("/membership");
    await expect(page.getByText(/^Modules 1-3 until \w+ \d+, \d{4}$/)).toBeVisible();
    await expect(page.getByText(/Your Monthly Access renewed on/)).toBeVisible();
    await page.getByRole("link", { name: "Change card" }).click();
    await expect(heading(page)).toHaveText("Change your card");
    await expect(page.getByText("Nothing is due")).toBeVisible();
    await fillCard(page);
    await page.getByLabel("Card Number").fill("5424000000000015");
    await page.getByRole("button", { name: "Save card" }).click();
    await expect(heading(page)).toHaveText("Your card is saved");
    await page.getByRole("link", { name: "See your membership" }).click();
    await expect(page.getByText("ending in 0015")).toBeVisible();

    await page.getByRole("button", { name: "Cancel membership" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText(/The course stays open until \w+ \d+, \d{4}/)).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Cancel membership" }).click();
    await expect(page.getByText("Your membership is cancelled. You won't be charged again.")).toBeVisible();
    await academy.mailTo({ email }, /Monthly Access is cancelled/);
    await page.getByRole("button", { name: "Resume membership" }).click();
    await expect(page.getByText(/Monthly Access renews every 30 days, next on/)).toBeVisible();
    await academy.mailTo({ email }, /Monthly Access continues/);
    complaints.expectEmpty();
    await page.goto("about:blank");

    // The demo's monthly student does nothing. The hold ends with a new card, whose answer is lost.
    const late = { email: "basic@academy.test" };
    await academy.nextCharges("decline");
    await academy.advance("14d");
    await academy.mailTo(late, /is on hold/);
    await signInAs(page, late.email);
    await expect(heading(page)).toHaveText("Account On Hold");
    await page.getByRole("link", { name: "Update Payment Method" }).click();
    await expect(page.getByText("$49.00 is due for Monthly Access")).toBeVisible();
    await expect(page.getByText("Closed until you add a new card")).toBeVisible();
    await academy.nextCharges("reset-after");
    await fillCard(page);
    await page.getByRole("button", { name: "Pay $49.00 and save card" }).dblclick();
    await expect(page.getByText("Do not pay again", { exact: false })).toBeVisible();
    await academy.advance("1m");
    await expect(heading(page)).toHaveText("Payment Successful!");
    await page.getByRole("link", { name: "Open the course" }).click();
    await expect(page.getByRole("heading", { name: "Modules" })).toBeVisible();
    await academy.mailTo(late, /active again/);

    // Another tab cancels the same membership first.
    const second = await page.context().newPage();
    for (const tab of [page, second]) {
      await tab.goto("/membership");
      await tab.getByRole("button", { name: "Cancel membership" }).click();
    }
    for (const tab of [page, second]) {
      await tab.getByRole("dialog").getByRole("button", { name: "Cancel membership" }).click();
      await expect(tab.getByRole("button", { name: "Resume membership" })).toBeVisible();
    }
    await expect(second.getByText("This membership no longer renews.").first()).toBeVisible();
  },
);
