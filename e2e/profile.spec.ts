import type { Page } from "@playwright/test";
import sharp from "sharp";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { updateProfile } from "#contract/profile.ts";
import { expect, expectAccessible, sendWithoutReplies, signInAs, test, testAlone } from "./academy.ts";
import { watchConsole } from "./console.ts";

const editable = ["First Name", "Last Name", "Phone", "Location", "Bio"] as const;

/** The value of a term in the read-only profile. */
function said(page: Page, name: string) {
  return page.getByRole("definition").and(page.locator(`dt:text-is("${name}") + dd`));
}

function savedProfile(page: Page): Promise<CurrentUser> {
  return page.evaluate(() => fetch("/api/auth/user").then((response) => response.json()));
}

function stored(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify(localStorage));
}

test("the profile shows plan, purchases and receipts, which can be refetched after a failure", async ({ page }) => {
  const complaints = watchConsole(page);
  await signInAs(page, "basic@academy.test", "/profile");
  const plan = page.getByRole("region", { name: "Your plan" });
  await expect(plan.getByText("Monthly Access", { exact: true })).toBeVisible();
  await expect(plan.getByText(/^Until \w+ \d+, \d{4}/)).toBeVisible();
  const purchase = page.getByRole("region", { name: "Your purchases" }).getByRole("listitem");
  await expect(purchase).toHaveCount(1);
  await expect(purchase).toContainText("Monthly Access");
  await expect(purchase).toContainText("$49.00");
  await expect(purchase).toContainText("Paid");
  await expect(purchase).toContainText(/Renews on \w+ \d+, \d{4}/);
  await expect(page.getByText(/^Member since \w+ \d+, \d{4}$/)).toBeVisible();
  await expect(page.locator("h1")).toHaveCount(1);

  await signInAs(page, "vip@academy.test", "/profile");
  await expect(plan.getByText("Lifetime Access", { exact: true })).toBeVisible();
  await expect(plan.getByText("No end date")).toBeVisible();
  await page
    .getByRole("region", { name: "Your purchases" })
    .getByRole("link", { name: /^Receipt of \w+ \d+, \d{4}$/ })
    .click();
  await expect(page.getByRole("heading", { level: 1, name: "Receipt" })).toBeVisible();
  const receipt = page.getByRole("article");
  for (const words of ["Lifetime Access", "$1,497.00", "vip@academy.test", "support@academy.test", "ending in 1111"]) {
    await expect(receipt).toContainText(words);
  }
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download PDF" }).click();
  expect((await download).suggestedFilename()).toMatch(/^receipt-\d{4}-\d{4}\.pdf$/);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
  await expect(page.getByRole("link", { name: "Logout" })).toBeHidden();
  await expect(page.getByRole("contentinfo")).toBeHidden();
  await expect(receipt).toBeVisible();
  await page.emulateMedia({ media: "screen" });
  complaints.expectEmpty();

  await signInAs(page, "basic@academy.test", new URL(page.url()).pathname);
  await expect(page.getByRole("heading", { level: 1, name: "We couldn't find this receipt" })).toBeVisible();

  await sendWithoutReplies(page);
  await page.route("**/api/user/purchases", (route) => route.abort());
  await signInAs(page, "vip@academy.test", "/profile");
  await expect(page.getByText("Your plan didn't load.")).toBeVisible();
  await expect(page.getByText("Your purchases didn't load.")).toBeVisible();
  await page.unroute("**/api/user/purchases");
  await plan.getByRole("button", { name: "Retry" }).click();
  await expect(plan.getByText("Lifetime Access")).toBeVisible();
  await expect(purchase).toHaveCount(1);

  let asked = 0;
  await page.route("**/api/auth/user", (route) => {
    asked += 1;
    return asked === 1 ? route.abort() : route.continue();
  });
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "Your profile didn't load" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("button", { name: "Edit Profile" })).toBeVisible();
});

test("a profile is edited, refused at its field and saved, and typed text survives leaving the page", async ({
  page,
  academy,
}) => {
  const student = await academy.visitor().signUp();
  await signInAs(page, student, "/profile");
  await expect(page.getByText("No Active Plan")).toBeVisible();
  await expect(page.getByText("You haven't bought anything yet.")).toBeVisible();
  const before = await savedProfile(page);
  const edit = page.getByRole("button", { name: "Edit Profile" });
  const save = page.getByRole("button", { name: "Save Changes" });
  await edit.click();
  await expect(page.getByLabel("First Name")).toBeFocused();
  const email = page.getByLabel("Email", { exact: true });
  await expect(email).toHaveAttribute("readonly");
  await expect(email).toHaveAccessibleDescription("Email cannot be changed. Contact support if needed.");
  for (const label of editable) await page.getByLabel(label).fill("Something else");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(edit).toBeFocused();
  await expect(page.getByText("Something else")).toHaveCount(0);
  await edit.click();
  await expect(page.getByLabel("First Name")).toHaveValue(before.firstName ?? "");
  await expect(page.getByLabel("Bio")).toHaveValue(before.bio ?? "");

  await page.getByLabel("Location").fill("Lisbon");
  await page.route("**/api/user/profile*", (route) => route.abort());
  await save.click();
  await expect(page.getByText("Failed to update profile", { exact: true }).first()).toBeVisible();
  await page.unroute("**/api/user/profile*");
  const phone = page.getByLabel("Phone");
  await phone.fill("call me");
  await save.click();
  await expect(phone).toBeFocused();
  await expect(phone).toHaveAccessibleDescription("Enter a valid phone number");
  await expect(page.getByLabel("Location")).toHaveValue("Lisbon");
  await expectAccessible(page);
  expect(await savedProfile(page)).toEqual(before);
  await phone.fill("030 1234567");
  await expect(page.getByText("Enter a valid phone number")).toHaveCount(0);

  const complaints = watchConsole(page);
  const saved = {
    firstName: "Inés",
    lastName: "O'Hara",
    phone: "+49 30 1234-567",
    location: "Leipzig",
    bio: "Shelves.\n<b>Boxes</b> & tags",
  };
  const change = Object.values(saved);
  for (const [at, label] of editable.entries()) await page.getByLabel(label).fill(change[at] ?? "");
  const sent = page.waitForRequest((request) => request.method() === "PUT");
  await page.getByLabel("Location").press("Enter");
  expect((await sent).postDataJSON()).toEqual(saved);
  await expect(page.getByText("Profile updated successfully", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Edit Profile" })).toBeFocused();
  for (const reload of [false, true]) {
    if (reload) await page.reload();
    for (const [at, label] of editable.entries()) await expect(said(page, label)).toHaveText(change[at] ?? "");
    await expect(page.getByRole("heading", { name: "Inés O'Hara" })).toBeVisible();
  }

  // Typed text survives every way of leaving the page, until it is saved or cancelled.
  await page.getByRole("button", { name: "Edit Profile" }).press("Enter");
  const location = page.getByLabel("Location");
  await location.fill("Lisbon");
  const kept = page.getByRole("main").getByText("Not saved yet. Your changes are kept in this browser.");
  await expect(kept).toHaveRole("status");
  await page.getByRole("link", { name: "Back to Dashboard" }).press("Enter");
  await page.waitForURL("**/dashboard");
  await page.goBack();
  await expect(location).toHaveValue("Lisbon");
  // The user did not open the form, so the focus stays at the start of the page.
  await expect(page.getByLabel("First Name")).not.toBeFocused();

  const tab = await page.context().newPage();
  await page.close({ runBeforeUnload: true });
  await tab.goto("/profile");
  const again = tab.getByLabel("Location");
  await expect(again).toHaveValue("Lisbon");
  await student.call(updateProfile, { body: { ...saved, location: "Lima" } });
  await tab.getByRole("button", { name: "Save Changes" }).press("Enter");
  await expect(tab.getByText("Failed to update profile", { exact: true }).first()).toBeVisible();
  const meanwhile = tab.getByRole("region", { name: "Changed meanwhile" });
  await expect(again).toHaveValue("Lisbon");
  await meanwhile.getByRole("button", { name: "Keep mine" }).press("Enter");
  await tab.getByRole("button", { name: "Save Changes" }).press("Enter");
  await expect(said(tab, "Location")).toHaveText("Lisbon");
  expect((await savedProfile(tab)).location).toBe("Lisbon");

  complaints.expectEmpty();

  // Signing out leaves no typed text in the browser.
  await tab.getByRole("button", { name: "Edit Profile" }).click();
  await tab.getByLabel("Bio").fill("For nobody else.");
  await expect.poll(() => stored(tab)).toContain("For nobody else.");
  await tab.goto("/api/logout");
  await signInAs(tab, await student.signInAgain(), "/profile");
  await expect(tab.getByRole("button", { name: "Edit Profile" })).toBeVisible();
  expect(await stored(tab)).not.toContain("For nobody else.");
});

/** A red square, in a phone's format. */
function picture(): Promise<Buffer> {
  return sharp({ create: { width: 640, height: 480, channels: 3, background: "#c81e1e" } })
    .jpeg()
    .toBuffer();
}

test("a picture changes, another browser is signed out, and a form left open is nothing to the next user", async ({
  page,
  browser,
  academy,
}) => {
  const elsewhere = await browser.newContext({
    baseURL: academy.url,
    userAgent: "Mozilla/5.0 (iPhone) Version/18.0 Safari/604.1",
  });
  const phone = await elsewhere.newPage();
  await phone.goto("/api/login?returnTo=/profile");
  await phone.getByRole("button", { name: "Continue as premium@academy.test" }).click();
  await phone.waitForURL("**/profile");
  const complaints = watchConsole(page);
  await signInAs(page, "premium@academy.test", "/profile");
  const security = page.getByRole("region", { name: "Security" });
  await expect(security.getByText("This browser")).toHaveCount(1);
  await security.getByRole("button", { name: "Sign out Safari on iPhone" }).press("Enter");
  await expect(page.getByText("Device signed out", { exact: true }).first()).toBeVisible();
  await expect(security.getByText("Safari on iPhone")).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
  await expectAccessible(page);
  await phone.reload();
  await expect(phone.getByRole("heading", { name: "Please Sign In" })).toBeVisible();
  await elsewhere.close();

  const input = page.getByLabel("Profile image");
  await expect(input).toHaveAttribute("accept", "image/*,.heic,.heif");

  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  await input.setInputFiles({ name: "huge.jpg", mimeType: "image/jpeg", buffer: Buffer.alloc(5 * 1024 * 1024) });
  await expect(page.getByText("Image size must be less than 5MB", { exact: true }).first()).toBeVisible();
  expect(sent).toEqual([]);

  await input.setInputFiles({ name: "me.jpg", mimeType: "image/jpeg", buffer: await picture() });
  await expect(page.getByText("Profile image updated successfully", { exact: true }).first()).toBeVisible();
  const image = page.getByRole("main").locator('img[src^="/api/profile-images/"]');
  await expect(image).toHaveJSProperty("naturalWidth", 512);
  await expect(page.getByRole("button", { name: "Change picture" })).toBeVisible();
  await page.reload();
  await expect(image).toHaveJSProperty("naturalWidth", 512);
  await page.getByRole("button", { name: "Remove picture" }).click();
  await expect(image).toHaveCount(0);
  complaints.expectEmpty();

  await input.setInputFiles({
    name: "me.png",
    mimeType: "image/png",
    buffer: Buffer.from("<script>alert(1)</script>"),
  });
  await expect(page.getByText("Failed to upload image", { exact: true }).first()).toBeVisible();
  await expect(page.getByText("We couldn't read this file as an image", { exact: false }).first()).toBeVisible();

  await page.getByRole("button", { name: "Edit Profile" }).click();
  await page.getByLabel("Location").fill("Somewhere else");
  const other = await page.context().newPage();
  await other.goto("/api/logout");
  await page.getByRole("button", { name: "Save Changes" }).click();
  const toast = page.getByRole("region", { name: /^Notifications/ });
  await expect(toast.locator("p")).toHaveText(["Failed to update profile", "Please sign in."]);
  await expect(toast.getByRole("link", { name: "Sign in" })).toHaveAttribute("href", "/api/login?returnTo=%2Fprofile");
  await signInAs(other, "admin@academy.test", "/profile");
  const before = await savedProfile(other);
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(toast.locator("p")).toHaveText([
    "Failed to update profile",
    "You're now signed in as admin@academy.test. Reload this page to continue.",
  ]);
  await expect(toast.getByRole("link", { name: "Reload" })).toHaveAttribute("href", "/profile");
  await expect(page.getByLabel("Location")).toHaveValue("Somewhere else");
  expect(await savedProfile(other)).toEqual(before);
  await other.getByRole("link", { name: "Admin", exact: true }).click();
  await expect(other.getByRole("heading", { level: 1, name: "Admin Dashboard" })).toBeVisible();
});

testAlone(
  "a person takes their data along and deletes the account, each after proving who they are",
  async ({ page, ownAcademy: academy }) => {
    const person = await academy.visitor().signUpAtIssuer();
    await page.goto("/api/login?returnTo=/profile");
    const signIn = async (place: Page) => {
      await place.getByLabel("Email", { exact: true }).fill(person.email);
      await place.getByLabel("Password", { exact: true }).fill("plywood-lantern-42");
      await place.getByRole("button", { name: "Sign in", exact: true }).click();
    };
    await signIn(page);
    await page.waitForURL((url) => url.pathname === "/profile");
    await academy.advance("11m");
    const data = page.getByRole("region", { name: "My data" });
    await data.getByRole("button", { name: "Download my data" }).click();
    await expect(page.getByRole("dialog", { name: "Confirm it's you" })).toBeVisible();
    const opened = page.waitForEvent("popup");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Sign in again" }).click();
    await signIn(await opened);
    expect((await download).suggestedFilename()).toMatch(/^your-data-\d{4}-\d\d-\d\d\.zip$/);
    await expect(page.getByText("Download Started", { exact: true }).first()).toBeVisible();

    const complaints = watchConsole(page);
    await data.getByRole("button", { name: "Delete my account" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete your account?" });
    const forGood = dialog.getByRole("button", { name: "Delete permanently" });
    await expect(forGood).toBeDisabled();
    await dialog.getByLabel(/to confirm$/).fill("somebody@example.test");
    await expect(forGood).toBeDisabled();
    await expectAccessible(page);
    await dialog.getByLabel(/to confirm$/).fill(person.email.toUpperCase());
    const deletions: string[] = [];
    page.on("request", (request) => request.method() === "DELETE" && deletions.push(request.url()));
    // A double click deletes once. A second request would be refused and show a failure.
    await forGood.dblclick();
    await expect(page.getByRole("heading", { level: 1, name: "Your account is deleted" })).toBeVisible();
    expect(deletions).toHaveLength(1);
    await expectAccessible(page);
    complaints.expectEmpty();
    await page.reload();
    await expect(page.getByRole("heading", { name: "Please Sign In" })).toBeVisible();
  },
);
