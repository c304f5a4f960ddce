import type { Locator } from "@playwright/test";
import readXlsxFile from "read-excel-file/node";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { expect, expectAccessible, signInAs, testAlone } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { choose, expectToast, goToArea, rowOf } from "./page.ts";

testAlone(
  "the books are compared and repaired, money and figures are read, plans and upgrades are refunded",
  async ({ page, ownAcademy: academy }) => {
    const { transactionId: refunded } = await academy.purchase("basic");
    await academy.advance("1d");
    // A production academy offers no payment tests.
    const settings = "**/api/authorize-net/config";
    await page.route(settings, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), environment: "production" } });
    });
    await signInAs(page, "admin@academy.test", "/payment-test");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payment tests are off in production");
    await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
    await page.unroute(settings);
    await page.reload();
    await academy.nextCharges("decline");
    await page.getByRole("button", { name: /\$1\.00/ }).click();
    await expect(page.getByText("Payment Test Failed").first()).toBeVisible();
    await expect(page.getByRole("main").getByText("Failed", { exact: true })).toBeVisible();
    await page.route("**/test-direct", (route) => route.abort());
    await page.getByRole("button", { name: /connection/i }).click();
    await expect(page.getByText("Test Error", { exact: true })).toBeVisible();
    await page.unroute("**/test-direct");
    const complaints = watchConsole(page);
    await page.getByRole("button", { name: /connection/i }).click();
    await expect(page.getByText("Test Successful").first()).toBeVisible();
    await page.getByRole("button", { name: /\$1\.00/ }).click();
    await expect(page.getByText(/approved and voided/).first()).toBeVisible();
    const newest = (await academy.ledger()).findLast((row) => Number(row.amount) === 1);
    expect(newest?.status).toBe("voided");

    await page.goto("/admin/reconciliation");
    await page.getByRole("button", { name: "Compare now" }).click();
    await expect(page.getByText("Your records agree with the gateway’s.")).toBeVisible();

    await academy.stage((await academy.purchase("basic")).transactionId, "settlementError");
    await page.getByRole("button", { name: "Compare now" }).click();
    await expect(page.getByRole("heading", { name: "Approved but never settled" })).toBeVisible();
    await expectAccessible(page);
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "End access" }).click();
    await dialog.getByRole("button", { name: "End access" }).click();
    await expectToast(page, "Repaired");
    await expect(page.getByText("Your records agree with the gateway’s.")).toBeVisible();
    await expect(page.getByText(/Access ended/)).toBeHidden();
    await page.locator("summary").filter({ hasText: "Repaired" }).press("Enter");
    await expect(page.getByText(/Access ended/)).toBeVisible();

    await goToArea(page, "Sales", "Money");
    const revenue = page.getByRole("slider", { name: "Revenue, point by point" });
    await expectReadableByArrows(revenue, /Charged \$[1-9]/);
    const scale = await seenOf(revenue.locator("xpath=../../*[1]/span"));
    expect(scale.length).toBeGreaterThan(1);
    expect(scale).toEqual([...new Set(scale)]);
    await page.getByText("Revenue as a table").press("Enter");
    await expect(page.getByRole("row", { name: /\$[1-9]/ }).first()).toBeVisible();
    await page.getByLabel("By", { exact: true }).selectOption("month");
    await expect(revenue).toHaveAttribute("aria-valuetext", /^[A-Z][a-z]+ \d{4}:/);
    await page.getByLabel("Range").selectOption("This year");
    await expect(page).toHaveURL(/by=month&from=\d{4}-01-01&to=/);
    await expect(page.getByText(/charges?, \$[\d,.]+ in the period before$/)).toBeVisible();

    await goToArea(page, "Reports");
    const signUps = page.getByRole("slider", { name: "Sign-ups, point by point" });
    await expectReadableByArrows(signUps, /New accounts [1-9]/);
    await page.getByText("Sign-ups as a table").press("Enter");
    await expect(page.getByRole("region", { name: "Sign-ups, table" })).toBeVisible();
    const steps = page.getByRole("table", { name: "From the landing page to a purchase, step by step" });
    await expect(steps.getByRole("row", { name: /Card submitted/ })).toContainText(/[1-9]/);
    await expect(
      steps
        .getByRole("row", { name: /Plan chosen/ })
        .getByRole("cell")
        .nth(2),
    ).toContainText("–");
    const cohorts = page.getByRole("region", { name: "Retention of Monthly Access, table" });
    await expect(cohorts.getByRole("row").nth(1)).toContainText(/[1-9]\d*%/);
    await expect(page.getByRole("table", { name: "By first plan" }).getByRole("row").last()).toContainText("Everybody");
    await page.getByLabel("By", { exact: true }).selectOption("month");
    await expect(page.getByLabel("Range")).toHaveValue("Last 12 months");
    await expect(page.getByText(/^[\d,]+ in the period before$/).first()).toBeVisible();
    await expect(signUps).toHaveAttribute("aria-valuetext", /^[A-Z][a-z]+ \d{4}:/);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export the path to a purchase" }).press("Enter");
    await expect(page.getByRole("menuitem", { name: "CSV" })).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press("ArrowDown");
    await expect(page.getByRole("menuitem", { name: "Excel (XLSX)" })).toBeFocused();
    await page.keyboard.press("Enter");
    expect((await download).suggestedFilename()).toMatch(/^funnel-.*\.xlsx$/);
    const [sheet] = await readXlsxFile(await (await download).path());
    expect(sheet?.data).toHaveLength(13);
    expect(sheet?.data[0]).toContain("Landing page");
    for (const of of ["sign-ups", "conversion", "retention", "lifetime value"]) {
      await expect(page.getByRole("button", { name: `Export ${of}`, exact: true })).toBeVisible();
    }
    complaints.expectEmpty();

    // A period without users, where one part fails to load.
    let isAway = true;
    await page.route("**/api/admin/figures/retention", (route) =>
      isAway ? route.fulfill({ status: 503, body: "" }) : route.continue(),
    );
    await page.goto("/admin/figures?from=2020-01-01&to=2020-01-31");
    await expect(page.getByText("Nobody signed up in these dates.")).toBeVisible();
    await expect(page.getByText("No visits in these dates.")).toBeVisible();
    await expect(page.getByText("The retention didn't load.")).toBeVisible();
    isAway = false;
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByText("The retention didn't load.")).toHaveCount(0);
    await expect(cohorts).toBeVisible();

    // A period that is too long.
    await page.goto("/admin/figures?by=day&from=2020-01-01");
    const from = page.getByLabel("From", { exact: true });
    await expect(from).toHaveAccessibleDescription("More than 400 periods before the last day");
    await expect(page.getByText(/didn't load/)).toHaveCount(0);
    await page.getByLabel("Range").selectOption("Last 30 days");
    await expect(page.getByRole("region", { name: "In these dates" })).toBeVisible();

    // A discrepancy that is repaired by the number of its charge.
    await goToArea(page, "Sales", "Money");
    await page.getByRole("link", { name: "Compare records with the gateway" }).click();
    await academy.stage(refunded, "unlinkedCredit");
    await page.getByRole("button", { name: "Compare now" }).click();
    await page.getByRole("button", { name: "Record as a refund" }).click();
    const number = dialog.getByLabel("Transaction of the charge");
    await number.fill("123");
    await dialog.getByRole("button", { name: "Record as a refund" }).click();
    await expect(number).toBeFocused();
    await expect(number).toHaveAccessibleDescription(/Enter the transaction number of a paid charge\.$/);
    await expect(page.getByText("Failed to repair the discrepancy")).toHaveCount(0);
    await number.fill("124");
    await expect(dialog.getByRole("alert")).toHaveCount(0);

    // A subscription.
    const student = await academy.buyer("basic");
    await page.goto(`/admin?tab=purchases&search=${encodeURIComponent(student.email)}`);
    const row = rowOf(page, student.email);
    await choose(row, "Hold Account");
    await dialog.getByRole("button", { name: "Hold Account" }).click();
    await expectToast(page, "Account placed on hold");
    await expect(row.getByText("On Hold")).toBeVisible();
    await choose(row, "Reactivate");
    await dialog.getByRole("button", { name: "Reactivate" }).click();
    await expectToast(page, "Account reactivated successfully");
    await expect(row.getByText("On Hold")).toHaveCount(0);

    // A pending button ignores a second click, and typed text survives a failure.
    const mayAnswer = Promise.withResolvers<void>();
    await page.route("**/api/admin/cancel-subscription", async (route) => {
      await mayAnswer.promise;
      await route.fulfill({ status: 503, body: "" });
    });
    await choose(row, "Cancel Subscription");
    await dialog.getByLabel("Reason (optional)").fill("Asked for it by phone");
    const confirm = dialog.getByRole("button", { name: "Cancel Subscription" });
    await confirm.click();
    await expect(confirm).toBeDisabled();
    mayAnswer.resolve();
    await expectToast(page, "Failed to cancel subscription");
    await expect(dialog.getByLabel("Reason (optional)")).toHaveValue("Asked for it by phone");
    await page.unroute("**/api/admin/cancel-subscription");
    await confirm.click();
    await expectToast(page, "Subscription cancelled successfully");
    await expect(row.getByText("Cancelled")).toBeVisible();

    await choose(row, "Refund");
    await expect(dialog.getByText("Within the policy")).toBeVisible();
    await expect(dialog.getByText("Ends", { exact: true })).toBeVisible();
    const end = dialog.getByRole("radio", { name: "End it now" });
    await expect(end).toBeChecked();
    await end.press("ArrowUp");
    await expect(dialog.getByRole("radio", { name: /^Keep the course open until / })).toBeChecked();
    await expect(dialog.getByText(/^Stays: Monthly Access until .*, but won’t renew$/)).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Refund $49.00" }).click();
    await expectToast(page, "$49.00 refunded");
    await expect(row.getByText("Refunded", { exact: true })).toBeVisible();
    await expect(row.getByRole("button", { name: /^(Actions|Refund)/ })).toHaveCount(0);

    const details = row.getByRole("button", { name: /^Details of the purchase of / });
    await details.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("tabpanel").locator(":focus")).toHaveCount(1);
    await expect(
      page.getByRole("table", { name: "Payment attempts" }).getByText("Paid", { exact: true }),
    ).toBeVisible();
    await expect(page.getByRole("table", { name: "Refunds" }).getByText("Refunded")).toBeVisible();
    await expect(page.getByRole("table", { name: "Refunds" }).getByText(/^Open until /)).toBeVisible();
    await expectAccessible(page);
    await page.goBack();
    await expect(details).toBeFocused();

    // A part.
    await page.getByRole("searchbox").fill(refunded);
    await choose(page.getByRole("row").last(), "Refund");
    await dialog.getByLabel("Amount in US dollars").fill("49.01");
    await expect(dialog.getByText("Enter at most $49.00.")).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Refund", exact: true })).toBeDisabled();
    await dialog.getByLabel("Amount in US dollars").fill("10");
    await expect(dialog.getByText("Stays: Monthly Access until ")).toBeVisible();
    await expect(dialog.getByRole("radio")).toHaveCount(0);
    await dialog.getByRole("button", { name: "Refund $10.00" }).click();
    await expectToast(page, "$10.00 refunded");
    await expect(page.getByText("Partly refunded")).toBeVisible();

    // The refund of an upgrade says what goes back, and which days begin again.
    const laterComplaints = watchConsole(page);
    const upgraded = await academy.buyer("basic");
    const upgrade = await upgraded.quotedPaymentFor("vip");
    expect((await upgraded.call(acceptPayment, { body: upgrade })).status).toBe(200);
    const open = async () => {
      await signInAs(page, "admin@academy.test", `/admin?tab=purchases&search=${encodeURIComponent(upgraded.email)}`);
      const found = page.getByRole("row", { name: /Lifetime Access/ }).filter({ hasText: upgraded.email });
      await choose(found, "Refund");
      return found;
    };
    const said = (name: string) => dialog.getByText(name, { exact: true }).locator("xpath=following-sibling::dd");
    const paid = `$${upgrade.amount.toLocaleString("en-US", { minimumFractionDigits: 2 })}`;
    const both = `$${(upgrade.amount + 49).toLocaleString("en-US", { minimumFractionDigits: 2 })}`;

    await open();
    await expect(said("This refund")).toHaveText(paid);
    await expect(said("Also refunded")).toHaveText(
      "$49.00 of Monthly Access, because the student upgraded within its refund window",
    );
    await expect(dialog.getByRole("button", { name: `Refund ${both}` })).toBeEnabled();
    await page.setViewportSize({ width: 320, height: 800 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await page.keyboard.press("Escape");

    await academy.advance("8d");
    const lifetime = await open();
    await expect(dialog.getByText(/^Outside of the policy since/)).toBeVisible();
    await expect(dialog.getByText("Also refunded")).toHaveCount(0);
    await expect(said("Restored")).toHaveText(
      "30 days of Monthly Access, which won’t renew, once no higher plan is active",
    );
    await expect(said("Access afterwards")).toHaveText(/^Ends\. Afterwards: Monthly Access until /);
    await dialog.getByRole("textbox", { name: /^Reason/ }).fill("Lifetime was a misunderstanding");
    await dialog.getByRole("button", { name: `Refund ${paid}` }).press("Enter");
    await expectToast(page, `${paid} refunded`);
    await expect(lifetime.getByText("Refunded", { exact: true })).toBeVisible();
    await upgraded.signInAgain();
    expect(await upgraded.access()).toMatchObject({ hasAccess: true, tier: "basic" });
    laterComplaints.expectEmpty();
  },
);

async function expectReadableByArrows(chart: Locator, newest: RegExp): Promise<void> {
  await expect(chart).toHaveAttribute("aria-valuetext", newest);
  const before = await chart.getAttribute("aria-valuetext");
  await chart.press("ArrowLeft");
  await expect(chart).not.toHaveAttribute("aria-valuetext", before ?? "");
}

/** The texts of the visible elements. */
function seenOf(locator: Locator): Promise<string[]> {
  return locator.evaluateAll((elements) =>
    elements
      .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .map(({ textContent }) => textContent ?? ""),
  );
}
