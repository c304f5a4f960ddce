import type { Page } from "@playwright/test";
import { clientId, openHostileProvider } from "#test/stand-ins/hostile-provider.ts";
import { samples } from "#test/uploads/uploads.ts";
import { expect, expectAccessible, expectLive, signInAs, test, testAlone } from "./academy.ts";
import { choose, goToArea } from "./administration/page.ts";

testAlone(
  "sixteen minutes after the sign-in, changes and files wait for another one, in a window or not [A27]",
  async ({ page, ownAcademy: academy }) => {
    const student = await academy.visitor().signUp();
    const address = `/admin?tab=users&search=${encodeURIComponent(student.email)}`;
    await signInAs(page, "admin@academy.test", address);
    await expectLive(page);
    const saved = page.waitForEvent("download");
    await exportUsers(page);
    expect((await saved).suggestedFilename()).toMatch(/^users-.*\.csv$/);

    await academy.advance("16m");
    await exportUsers(page);
    await expect(confirmation(page)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Not now" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByText("Download Failed").first()).toBeVisible();

    await choose(page, "Give access");
    const gift = page.getByRole("dialog", { name: /^Give access to/ });
    await gift.getByLabel("Plan").selectOption("vip");
    await gift.getByLabel("Reason").fill("Won the raffle");
    await gift.getByRole("button", { name: "Give access" }).click();
    const opened = page.waitForEvent("popup");
    await confirmation(page).getByRole("button", { name: "Sign in again" }).click();
    const small = await opened;
    await expect(confirmation(page).getByRole("button", { name: "Use this tab instead" })).toBeVisible();
    await expect(small.getByLabel("Email")).toHaveValue("admin@academy.test");
    // What ends in another tab finishes nothing here.
    const tab = await page.context().newPage();
    await tab.goto("/signed-in");
    await expect(tab.getByRole("heading", { name: "You're signed in" })).toBeVisible();
    await tab.close();
    await expect(confirmation(page)).toBeVisible();
    const closed = small.waitForEvent("close");
    await typePassword(small);
    await closed;
    await expect(page.getByText("User tier updated successfully").first()).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);

    // A file that is still being sent when it is refused.
    await goToArea(page, "Course", "Resources");
    await academy.advance("16m");
    const form = page.getByRole("form", { name: "Upload resources" });
    const buffer = Buffer.concat([samples.pdf, Buffer.alloc(20_000_000, "\n"), samples.pdf]);
    await form.getByLabel("Files").setInputFiles([{ name: "Plan.pdf", mimeType: "application/pdf", buffer }]);
    await form.getByLabel("Module").selectOption({ label: "2. Store Scanning Mastery" });
    await form.getByLabel("Title").fill("Plan");
    await form.getByLabel("Required plan").selectOption({ label: "Annual Access ($397 annual)" });
    await form.getByRole("button", { name: "Upload" }).click();
    const openedAgain = page.waitForEvent("popup");
    await confirmation(page).getByRole("button", { name: "Sign in again" }).click();
    await typePassword(await openedAgain);
    await expect(page.getByText("Resource uploaded successfully!").first()).toBeVisible();

    // Where the small window is blocked, the action is done after the return to the page.
    const buyer = await academy.buyer("basic");
    // Browsers offer `randomUUID` only in secure contexts, and some academies are on http.
    await page.addInitScript("window.open = () => null; delete Crypto.prototype.randomUUID");
    await signInAs(page, "admin@academy.test", `/admin?tab=purchases&search=${encodeURIComponent(buyer.email)}`);
    await academy.advance("16m");
    await refund(page);
    await confirmation(page).getByRole("button", { name: "Sign in again" }).click();
    await expect(page.getByLabel("Email")).toHaveValue("admin@academy.test");
    await page.goBack();
    await expect(page.getByRole("dialog", { name: /^Refund / })).toBeVisible();
    await expect(page.getByText("$49.00 refunded")).toHaveCount(0);
    await page
      .getByRole("dialog", { name: /^Refund / })
      .getByRole("button", { name: "Refund $49.00" })
      .click();
    await confirmation(page).getByRole("button", { name: "Sign in again" }).click();
    await typePassword(page);
    await expect(page.getByText("$49.00 refunded").first()).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);

    // A draft that this browser would keep otherwise.
    await academy.advance("16m");
    await page.goto("/admin/coupons");
    await page.getByRole("button", { name: "New coupon" }).click();
    const dialog = page.getByRole("dialog", { name: "New coupon" });
    await dialog.getByLabel("Code").fill("AUTUMN");
    await dialog.getByLabel("Amount").fill("20");
    await dialog.getByLabel("Starts, in your time zone").fill("2020-01-01T00:00");
    await dialog.getByLabel("Ends, in your time zone").fill("2098-01-01T00:00");
    await dialog.getByRole("button", { name: "Create coupon" }).click();
    await confirmation(page).getByRole("button", { name: "Sign in again" }).click();
    await typePassword(page);
    await expect(page.getByRole("row", { name: /AUTUMN/ })).toBeVisible();
    await page.getByRole("button", { name: "New coupon" }).click();
    await expect(dialog.getByLabel("Code")).toHaveValue("");
  },
);

test("a provider whose pages cut the small window off finishes the action too", async ({ page, academies }) => {
  await using provider = await openHostileProvider();
  const person = { sub: "careful", email: "careful@example.test", email_verified: true };
  let minutesAgo = 20;
  const claims = (honest: Record<string, unknown>) => ({ ...honest, auth_time: Number(honest.iat) - minutesAgo * 60 });
  Object.assign(provider, { person, claims, metadata: { authorization_endpoint: `${provider.issuer}/form` } });
  provider.paths.set("/form", ({ url = "" }, response) => {
    const headers = { "content-type": "text/html", "cross-origin-opener-policy": "same-origin" };
    const address = url.replace("/form", "/authorize").replaceAll("&", "&amp;");
    response.writeHead(200, headers).end(`<a href="${address}">Continue</a>`);
  });
  const client = { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: "a secret", ADMIN_EMAILS: person.email };
  await using academy = await academies.open({ OIDC_ISSUER: provider.issuer, ...client });
  await page.goto(`${academy.url}/admin?tab=users`);
  await page.getByRole("link", { name: "Continue" }).click();
  await exportUsers(page);
  await confirmation(page).getByRole("button", { name: "Sign in again" }).click();
  await confirmation(page).getByRole("button", { name: "Use this tab instead" }).click();
  await page.getByRole("link", { name: "Continue" }).click();
  // The provider let the person in without asking.
  await expect(confirmation(page)).toBeVisible();
  const opened = page.waitForEvent("popup");
  await confirmation(page).getByRole("button", { name: "Sign in again" }).click();
  minutesAgo = 0;
  const saved = page.waitForEvent("download");
  await (await opened).getByRole("link", { name: "Continue" }).click();
  expect((await saved).suggestedFilename()).toMatch(/^users-.*\.csv$/);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

const confirmation = (page: Page) => page.getByRole("dialog", { name: "Confirm it's you" });

async function exportUsers(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "CSV" }).click();
}

async function typePassword(page: Page): Promise<void> {
  await page.getByLabel("Password", { exact: true }).fill("academy-demo");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function refund(page: Page): Promise<void> {
  await choose(page, "Refund");
  const dialog = page.getByRole("dialog", { name: /^Refund / });
  await dialog.getByLabel(/^Reason/).fill("Asked for it");
  await dialog.getByRole("button", { name: "Refund $49.00" }).click();
}
