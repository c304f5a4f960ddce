import type { Page } from "@playwright/test";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import type { Academy } from "#test/academy.ts";
import { buyerOf, expect, expectAccessible, signInAs, test, testAlone } from "./academy.ts";
import { watchConsole } from "./console.ts";

for (const path of ["/admin", "/payment-test"]) {
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

testAlone(
  "a difference between the books is listed, and its action repairs it",
  async ({ page, ownAcademy: academy }) => {
    const complaints = watchConsole(page);
    await signInAs(page, "admin@academy.test", "/admin/reconciliation");
    await page.getByRole("button", { name: "Compare now" }).click();
    await expect(page.getByText("The books agree.")).toBeVisible();
    await expectAccessible(page);

    await stage(academy, await charge(academy), "settlementError");
    await page.getByRole("button", { name: "Compare now" }).click();
    await expect(page.getByRole("heading", { name: "Approved, but never settled" })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "End the access" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "End the access" }).click();
    await expectToast(page, "Repaired");
    await expect(page.getByText("The books agree.")).toBeVisible();
    await expect(page.getByText(/Access ended/)).toBeVisible();
    complaints.expectEmpty();
  },
);

testAlone(
  "a number that names no charge is said at its field, which gets the focus",
  async ({ page, ownAcademy: academy }) => {
    const transId = await charge(academy);
    await academy.advance("1d");
    await stage(academy, transId, "unlinkedCredit");
    await signInAs(page, "admin@academy.test", "/admin/reconciliation");
    await page.getByRole("button", { name: "Compare now" }).click();
    await page.getByRole("button", { name: "Record it as a refund" }).click();
    const dialog = page.getByRole("dialog");
    const number = dialog.getByLabel("Transaction of the charge");
    await number.fill("123");
    await dialog.getByRole("button", { name: "Record it as a refund" }).click();
    await expect(number).toBeFocused();
    await expect(number).toHaveAccessibleDescription(/Name the transaction of a charge that was paid\.$/);
    await expect(page.getByText("Failed to repair the discrepancy")).toHaveCount(0);
    await expectAccessible(page);
    await number.fill("124");
    await expect(dialog.getByRole("alert")).toHaveCount(0);
  },
);

test("users are found, upgraded, downgraded and suspended, and the page offers nothing that the rules forbid", async ({
  page,
  academy,
}) => {
  const complaints = watchConsole(page);
  const student = await buyerOf(academy, "premium");
  await signInAs(page, "admin@academy.test", "/admin?search=academy.test");
  for (const label of ["Total Users", "Total Revenue", "Active Subscriptions", "Contact Messages"]) {
    await expect(page.getByRole("term").filter({ hasText: label })).toBeVisible();
  }
  // Nobody deletes themselves, anybody who has the highest tier is not upgraded, the lowest not downgraded.
  await expect(rowOf(page, "admin@academy.test").getByRole("button", { name: "Delete" })).toHaveCount(0);
  await expect(rowOf(page, "vip@academy.test").getByRole("button", { name: "Upgrade" })).toHaveCount(0);
  await expect(rowOf(page, "basic@academy.test").getByRole("button", { name: "Downgrade" })).toHaveCount(0);
  await expect(rowOf(page, "basic@academy.test").getByRole("button", { name: "Cancel Subscription" })).toBeVisible();

  await page.getByRole("searchbox").fill(student.email);
  await expect(page.getByText("1–1 of 1")).toBeVisible();
  await page.reload();
  const row = rowOf(page, student.email);
  await expect(row).toBeVisible();
  await expectAccessible(page);

  await row.getByRole("button", { name: "Upgrade" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason (optional)").fill("Made up for an outage");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Upgrade to Lifetime Access" }).click();
  await expectToast(page, "User tier updated successfully");
  await expect(row.getByText("Lifetime Access")).toBeVisible();
  await expect(row.getByRole("button", { name: "Upgrade" })).toHaveCount(0);
  await row.getByRole("button", { name: "Downgrade" }).click();
  await dialog.getByRole("button", { name: "Downgrade to Annual Access" }).click();
  await expect(row.getByText("Annual Access")).toBeVisible();

  await row.getByRole("button", { name: "More actions" }).press("Enter");
  await page.getByRole("menuitem", { name: "Suspend" }).press("Enter");
  await expect(dialog.getByRole("button", { name: "Suspend" })).toBeDisabled();
  await dialog.getByLabel("Reason").fill("Shared the account");
  await dialog.getByRole("button", { name: "Suspend" }).click();
  await expect(row.getByText("Suspended")).toBeVisible();

  await row.getByRole("link", { name: "Jo Vendor" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Jo Vendor" })).toBeVisible();
  await expect(page.getByText("Shared the account").first()).toBeVisible();
  await expect(page.getByText("Made up for an outage").first()).toBeVisible();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Reactivate" }).click();
  await dialog.getByRole("button", { name: "Reactivate" }).click();
  await expectToast(page, "Account reactivated successfully");
  complaints.expectEmpty();
});

test("coming back from a user finds the list as it was left: its filter, its order and the row on screen", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  await signInAs(page, "admin@academy.test", "/admin?search=academy.test");
  await page.getByRole("table", { name: "Users" }).getByRole("button", { name: "User", exact: true }).click();
  const table = page.getByRole("table", { name: "Users" });
  const link = table.getByRole("link").last();
  await expect(page).toHaveURL(/sort=email/);
  await expect(table.locator("[aria-sort]")).toHaveText("User");
  await expect(table).toHaveAttribute("aria-busy", "false");
  const name = await link.textContent();
  await link.scrollIntoViewIfNeeded();
  await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: "instant" }));
  const before = await page.evaluate(() => window.scrollY);
  expect(before).toBeGreaterThan(100);
  await link.click();
  await expect(page.getByRole("heading", { name: "Access and why" })).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await page.goBack();
  await expect(page).toHaveURL(/search=academy.test.*sort=email/);
  await expect(link).toHaveText(name ?? "");
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
  await link.click();
  await page.getByRole("link", { name: "All users" }).click();
  await expect(page).toHaveURL(/search=academy.test.*sort=email/);
});

test("a user is signed out everywhere and deleted, which is asked about and written down", async ({
  page,
  academy,
}) => {
  const complaints = watchConsole(page);
  const student = await academy.visitor().signUp();
  await signInAs(page, "admin@academy.test", `/admin?search=${encodeURIComponent(student.email)}`);
  const row = rowOf(page, student.email);
  const dialog = page.getByRole("dialog");
  await row.getByRole("link", { name: "Jo Vendor" }).click();
  await expect(page.getByRole("heading", { name: "Access and why" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Sign out everywhere" }).click();
  await dialog.getByRole("button", { name: "Sign out everywhere" }).click();
  await expectToast(page, "Signed out everywhere");
  expect((await student.send("GET", "/api/auth/user")).status).toBe(401);

  await page.goBack();
  await row.getByRole("button", { name: "Delete" }).click();
  await expect(dialog.getByText(student.email)).toBeVisible();
  await expect(dialog.getByText("This cannot be undone.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(row.getByRole("button", { name: "Delete" })).toBeFocused();
  const users = page.getByRole("definition").first();
  const before = Number(await users.locator("span").first().textContent());
  await row.getByRole("button", { name: "Delete" }).click();
  await dialog.getByLabel("Reason (optional)").fill("Asked to be forgotten");
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expectToast(page, "User account deleted successfully");
  await expect(page.getByText("No users found")).toBeVisible();
  await expect(users.locator("span").first()).toHaveText(String(before - 1));

  await page.getByRole("link", { name: "Audit log" }).click();
  await expect(page.getByText("“Asked to be forgotten”")).toBeVisible();
  await expectAccessible(page);
  complaints.expectEmpty();
});

test("a subscription is held, reactivated, cancelled and paid back, and a refusal is said", async ({
  page,
  academy,
}) => {
  const student = await buyerOf(academy, "basic");
  await signInAs(page, "admin@academy.test", `/admin?tab=purchases&search=${encodeURIComponent(student.email)}`);
  const row = rowOf(page, student.email);
  const dialog = page.getByRole("dialog");
  await expect(row.getByRole("button", { name: "Reactivate" })).toHaveCount(0);
  await expectAccessible(page);

  await row.getByRole("button", { name: "Hold Account" }).click();
  await dialog.getByRole("button", { name: "Hold Account" }).click();
  await expectToast(page, "Account placed on hold");
  await expect(row.getByRole("button", { name: "Hold Account" })).toHaveCount(0);
  await row.getByRole("button", { name: "Reactivate" }).click();
  await dialog.getByRole("button", { name: "Reactivate" }).click();
  await expectToast(page, "Account reactivated successfully");
  await expect(row.getByRole("button", { name: "Reactivate" })).toHaveCount(0);

  // While it is under way the button takes no second press; what was typed outlives a failure.
  const mayAnswer = Promise.withResolvers<void>();
  await page.route("**/api/admin/cancel-subscription", async (route) => {
    await mayAnswer.promise;
    await route.fulfill({ status: 503, body: "" });
  });
  await row.getByRole("button", { name: "Cancel Subscription" }).click();
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
  await expect(row.getByRole("button", { name: "Cancel Subscription" })).toHaveCount(0);

  await row.getByRole("button", { name: "Refund" }).click();
  await expect(dialog.getByText("Within the policy")).toBeVisible();
  await expect(dialog.getByText("Ends; what is left: none")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Refund $49.00" }).click();
  await expectToast(page, "$49.00 refunded");
  await expect(row.getByText("Refunded", { exact: true })).toBeVisible();
  await expect(row.getByRole("button", { name: "Refund" })).toHaveCount(0);

  const details = row.getByRole("button", { name: /^Details of the purchase of / });
  await details.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tabpanel").locator(":focus")).toHaveCount(1);
  await expect(page.getByRole("table", { name: "Payment attempts" }).getByText("approved")).toBeVisible();
  await expect(page.getByRole("table", { name: "Refunds" }).getByText("returned")).toBeVisible();
  await expectAccessible(page);
  await page.goBack();
  await expect(details).toBeFocused();
});

test("a message full of markup is read as text, answered by mail, and marked [C04]", async ({ page, academy }) => {
  const complaints = watchConsole(page);
  const name = "<img src=x onerror=alert(1)>";
  const sender = await academy.visitor().signUp();
  await sender.send(
    "POST",
    "/api/contact",
    JSON.stringify({ name, email: sender.email, message: "=1+1 <script>alert(2)</script>\n\nI paid twice." }),
  );
  await signInAs(page, "admin@academy.test", "/admin?tab=messages");
  await expect(
    page.getByRole("list", { name: "Messages" }).getByRole("button", { name: "I paid twice" }),
  ).toBeVisible();
  // The conversation was read before the message was marked as open, and arrives after what the mark asked anew.
  const isRead = Promise.withResolvers<void>();
  const isMarked = Promise.withResolvers<void>();
  await page.route(
    /\/api\/admin\/contacts\/(?!count)\w+$/,
    async (route) => {
      const response = await route.fetch();
      isRead.resolve();
      await isMarked.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await page.route("**/api/admin/mark-contact", async (route) => {
    await isRead.promise;
    await route.continue();
  });
  const askedAnew = page.waitForRequest("**/api/admin/contacts/count");
  await page.getByRole("list", { name: "Messages" }).getByRole("button", { name: "I paid twice" }).click();
  await askedAnew;
  isMarked.resolve();
  await expect(page.getByRole("heading", { name })).toBeVisible();
  await expect(page.getByText("=1+1 <script>alert(2)</script>").last()).toBeVisible();
  await expect(page.getByRole("button", { name: "Mark as new" })).toBeVisible();
  const reply = page.getByLabel(`Reply to ${name}`);
  await reply.fill("We refunded the second payment.");
  await page.reload();
  await expect(reply).toHaveValue("We refunded the second payment.");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Send reply" }).click();
  await expectToast(page, "Reply sent");
  await expect(page.getByRole("list", { name: "Conversation" }).getByText("Answered")).toBeVisible();
  await expect
    .poll(async () =>
      (await academy.mails())
        .filter(({ to }) => to === sender.email)
        .map(({ text }) => text)
        .join(),
    )
    .toContain("We refunded the second payment.");
  complaints.expectEmpty();
});

test("the money's chart is read point by point with the arrow keys, and stands in a table too", async ({
  page,
  academy,
}) => {
  const complaints = watchConsole(page);
  await buyerOf(academy, "basic");
  await signInAs(page, "admin@academy.test", "/admin/money");
  const chart = page.getByRole("slider", { name: "Revenue, point by point" });
  await expect(chart).toHaveAttribute("aria-valuetext", /Charged \$[1-9]/);
  const newest = await chart.getAttribute("aria-valuetext");
  await chart.press("ArrowLeft");
  await expect(chart).not.toHaveAttribute("aria-valuetext", newest ?? "");
  await page.getByText("Revenue as a table").press("Enter");
  await expect(page.getByRole("row", { name: /\$[1-9]/ }).first()).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("By", { exact: true }).selectOption("month");
  await expect(chart).toHaveAttribute("aria-valuetext", /^[A-Z][a-z]+ \d{4}:/);
  await page.getByRole("link", { name: "Learning" }).click();
  await expect(page.getByRole("table").first()).toBeVisible();
  await expectAccessible(page);
  complaints.expectEmpty();
});

testAlone(
  "a lesson is edited, kept through a reload, drafted, published and seen by visitors",
  async ({ page, ownAcademy: academy }) => {
    await signInAs(page, "admin@academy.test", "/admin/content");
    await page.getByRole("link", { name: /^Paying for Inventory/ }).click();
    await page.getByLabel("Title").fill("Paying Later");
    await page.reload();
    await expect(page.getByLabel("Title")).toHaveValue("Paying Later");
    await expectAccessible(page);
    await page.getByLabel("Title").fill("");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByText("Required")).toBeVisible();
    await page.getByLabel("Title").fill("Paying Later");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expectToast(page, "Draft saved");
    await page.locator("summary").filter({ hasText: "What changes" }).press("Enter");
    await expect(page.getByRole("deletion")).toHaveText("Paying for Inventory With Other People's Money");

    await page.getByRole("button", { name: "Move Paying Later up" }).press("Enter");
    await expectToast(page, "Order changed in the draft");
    await page.getByRole("button", { name: "Publish all" }).click();
    await expectToast(page, "Published");
    await expect(page.getByText(/waits? to be published/)).toHaveCount(0);
    await expectAccessible(page);
    const seen = await (await academy.visitor().send("GET", "/api/catalogue")).text();
    expect(seen.indexOf("Paying Later")).toBeGreaterThan(0);
    expect(seen.indexOf("Paying Later")).toBeLessThan(seen.indexOf("Building Business Credit"));
  },
);

test("every page of the administration fits a phone in the dark", async ({ page }) => {
  const complaints = watchConsole(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  await signInAs(page, "admin@academy.test", "/admin?search=premium%40academy.test");
  await page.getByRole("link", { name: /Desmond/ }).click();
  await expect(page.getByRole("heading", { name: "Access and why" })).toBeVisible();
  await expectFits(page);
  for (const [path, shown] of [
    ["/admin?search=academy.test", "vip@academy.test"],
    ["/admin?tab=purchases&search=vip@academy.test", "vip@academy.test"],
    ["/admin/money", "By plan"],
    ["/admin/learning", "have begun a lesson"],
    ["/admin/content", "Plans and offer"],
    ["/admin/content?edit=offer", "Before the countdown"],
    ["/admin/claims", "Not backed"],
    ["/admin/coupons", "Coupons in numbers"],
    ["/admin/audit", /^1–\d+ of \d+$|No entries/],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(shown).first()).toBeVisible();
    await expectFits(page);
  }
  await expectAccessible(page);
  complaints.expectEmpty();
});

async function expectFits(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
}

/** The gateway's number of a charge that was just made. */
async function charge(academy: Academy): Promise<string> {
  const buyer = await academy.visitor().signUp();
  const { body } = await buyer.call(acceptPayment, { body: await buyer.paymentFor("basic") });
  return ("transactionId" in body && body.transactionId) || "";
}

/** What becomes of a charge at the gateway. */
async function stage(academy: Academy, transId: string, as: string): Promise<void> {
  const response = await fetch(`${academy.url}/sandbox/api/gateway/stage`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ transId, as }),
  });
  expect(response.ok).toBe(true);
}

function rowOf(page: Page, email: string) {
  return page.getByRole("row").filter({ hasText: email });
}

async function expectToast(page: Page, title: string): Promise<void> {
  await expect(page.getByText(title, { exact: true }).first()).toBeVisible();
}
