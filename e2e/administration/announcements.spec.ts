import { createAnnouncement, deleteAnnouncement, getAnnouncement } from "#contract/admin/announcements.ts";
import { getCatalogue } from "#contract/catalogue.ts";
import { confirmAddress } from "#test/coaching.ts";
import { expect, expectAccessible, holdBack, signInAs, test, testAlone } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { expectToast, goToArea } from "./page.ts";

testAlone(
  "an announcement is written, tried, sent, stopped, turned off, and kept when two tabs change it",
  async ({ page, ownAcademy: academy }) => {
    const complaints = watchConsole(page);
    await page.setViewportSize({ width: 320, height: 900 });
    await signInAs(page, "admin@academy.test", "/admin/announcements");
    await page.getByRole("button", { name: "New announcement" }).press("Enter");
    await page.getByLabel("To", { exact: true }).selectOption("Annual Access");
    await expect(page.getByText("premium@academy.test")).toBeVisible();
    await page.getByLabel("Subject").fill("A new module");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByLabel("Text")).toBeFocused();
    await page.getByLabel("Text").fill("Module 6 is here.\nHave fun with it.");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByRole("button", { name: "Send a test to me" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Save draft" })).toBeFocused();
    await page.getByRole("button", { name: "Send a test to me" }).click();
    await academy.mailTo({ email: "admin@academy.test" }, "Test: A new module");
    // The people who get it are counted anew.
    const send = page.getByRole("button", { name: /^Send to \d+ (person|people)$/ });
    const before = Number.parseInt((await send.innerText()).slice("Send to ".length), 10);
    await confirmAddress(academy, await academy.buyer("premium"));
    await page.getByRole("button", { name: "All announcements" }).click();
    await page.getByRole("link", { name: "A new module" }).click();
    await expect(send).toHaveText(`Send to ${before + 1} people`);
    await send.click();
    await expectAccessible(page);
    await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
    await expect(page.getByText("Being sent")).toBeVisible();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stop" }).click();
    await expect(page.getByText("Stopped").first()).toBeVisible();
    complaints.expectEmpty();

    // Two tabs with one announcement.
    await page.setViewportSize({ width: 1280, height: 720 });
    const admin = await academy.visitor().signInAsDemo("admin@academy.test");
    const body = { subject: "Module 6", text: "It is here.", button: null, audience: "everybody" };
    const { id } = (await admin.call(createAnnouncement, { body })).body;
    const saved = async () => (await admin.call(getAnnouncement, { params: { id } })).body;
    await page.getByRole("button", { name: "All announcements" }).click();
    await page.getByRole("link", { name: body.subject, exact: true }).click();
    const other = await page.context().newPage();
    await other.goto(`/admin/announcements?open=${id}`);
    await other.getByLabel("Subject").fill("Module 6 is here");
    await page.getByLabel("Text").fill("Have fun with it.");
    await other.getByLabel("Subject").press("Enter");
    await expectToast(other, "Draft saved");
    // The other tab's draft does not replace this one's.
    await page.reload();
    await expect(page.getByLabel("Text")).toHaveValue("Have fun with it.");

    const meanwhile = page.getByRole("region", { name: "Changed meanwhile" });
    const save = page.getByRole("button", { name: "Save draft" });
    await expect(meanwhile).toBeVisible();
    await save.press("Enter");
    await expectToast(page, "Failed to save the draft");
    expect(await saved()).toMatchObject({ subject: "Module 6 is here", text: "It is here." });
    await meanwhile.getByRole("button", { name: "Use theirs" }).press("Enter");
    await expect(page.getByLabel("Subject")).toHaveValue("Module 6 is here");
    await expect(page.getByRole("combobox", { name: "To" })).toBeFocused();
    await expect(page.getByRole("button", { name: "Send a test to me" })).toBeVisible();

    await page.getByLabel("Text").fill("Bring boxes.");
    await admin.call(deleteAnnouncement, { params: { id }, body: {} });
    await page.reload();
    const left = page.getByRole("region", { name: "Not saved" });
    await expect(left).toContainText("Bring boxes.");
    await expectAccessible(page);
    await left.getByRole("button", { name: "Discard" }).press("Enter");
    await expect(left).toHaveCount(0);
    await expect(page.getByText("We couldn’t find this announcement.")).toBeVisible();

    // A list keeps its place, and goes back where the row before it is gone.
    await academy.pool.query(`insert into announcements (id, subject, text, audience, created_at)
      select 'paged' || n, 'Paged ' || n, 'Text', 'everybody', timestamptz '2099-01-01' + n * interval '1 minute'
      from generate_series(1, 51) as n`);
    await goToArea(page, "Emails");
    const last = page.getByRole("link", { name: "Paged 1", exact: true });
    await expect(page.getByRole("link", { name: "Paged 51" })).toBeVisible();
    await page.getByRole("button", { name: "Next" }).click();
    await expect(last).toBeVisible();
    await page.reload();
    await expect(last).toBeVisible();
    expect(new URL(page.url()).search).toBe("");
    await academy.pool.query("delete from announcements where id = 'paged2'");
    await page.reload();
    await expect(page.getByRole("link", { name: "Paged 51" })).toBeVisible();
    await expect(last).toBeVisible();

    await signInAs(page, "premium@academy.test", "/profile");
    const choice = page.getByRole("checkbox", { name: /^Send me news/ });
    await expect(choice).toBeChecked();
    await choice.click();
    await expect(page.getByText("News turned off").first()).toBeVisible();
    await expect(choice).not.toBeChecked();
  },
);

test("an announcement is written to a filter of the list, scheduled, changed and cancelled", async ({
  page,
  academy,
}) => {
  const buyer = await academy.buyer("premium");
  await confirmAddress(academy, buyer);
  const { email } = buyer;
  const complaints = watchConsole(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const letTitlesCome = await holdBack(page, `**${getCatalogue.path}`);
  await signInAs(page, "admin@academy.test", "/admin?tab=users");
  await page.getByLabel("Plan", { exact: true }).selectOption("Annual Access");
  await page.getByLabel("Progress").selectOption("Has not begun");
  // Also before the titles of the lessons are loaded.
  await expect(page.getByRole("link", { name: /^Send an announcement to \d+ (person|people)$/ })).toBeVisible();
  letTitlesCome();
  await expect(page.getByLabel("Lesson", { exact: true }).locator("option").nth(2)).toBeAttached();
  await page.getByLabel("Lesson", { exact: true }).selectOption({ index: 1 });
  const title = await page.getByLabel("Lesson", { exact: true }).locator("option").nth(1).innerText();
  await expect(page.getByRole("row").filter({ hasText: email })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: /^Send an announcement to \d+ (person|people)$/ }).press("Enter");
  const words = `Annual Access · Has not begun “${title}”`;
  const to = page.getByLabel("To", { exact: true });
  await expect(to.locator("option:checked")).toHaveText(words);
  await expect(page.getByText(email)).toBeVisible();
  await page.getByLabel("Subject").fill("Where to begin");
  await page.getByLabel("Text").fill("Start with the **first** lesson.");
  await page.getByLabel("Also send to the team").check();
  await page.getByRole("button", { name: "Save draft" }).press("Enter");
  await expectToast(page, "Draft saved");
  await page.reload();
  await expect(to.locator("option:checked")).toHaveText(words);
  await expect(page.getByLabel("Also send to the team")).toBeChecked();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.getByRole("button", { name: "All announcements" }).press("Enter");
  const row = page.getByRole("row").filter({ hasText: "Where to begin" });
  await expect(row).toContainText(words);

  complaints.expectEmpty();

  await row.getByRole("link").press("Enter");
  const schedule = page.getByRole("button", { name: "Schedule" });
  // Once the recipients are counted.
  await expect(schedule).toBeEnabled();
  await schedule.press("Enter");
  const dialog = page.getByRole("dialog");
  const confirm = dialog.getByRole("button", { name: "Schedule" });
  await dialog.getByLabel("Day").fill("2025-03-04");
  await confirm.press("Enter");
  await expect(dialog.getByLabel("Day")).toHaveAccessibleDescription(/This time is in the past or less than a minute/);
  await expectAccessible(page);
  await dialog.getByLabel("Day").fill("2099-03-04");
  await expect(dialog.getByText(/^This time is in the past/)).toHaveCount(0);
  await dialog.getByLabel("Time", { exact: true }).fill("09:30");
  await dialog.getByLabel("Time zone").selectOption("Each student’s");
  await confirm.press("Enter");
  const when = "Mar 4, 2099, 9:30 AM (each student’s time zone)";
  await expect(page.getByText(when)).toBeVisible();
  await expect(page.getByRole("main").locator("strong", { hasText: "first" })).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.getByRole("button", { name: "Change time" }).press("Enter");
  await dialog.getByLabel("Time", { exact: true }).fill("10:00");
  await confirm.press("Enter");
  await expect(page.getByText(when.replace("9:30", "10:00"))).toBeVisible();
  await page.getByRole("button", { name: "Cancel sending" }).press("Enter");
  await dialog.getByRole("button", { name: "Cancel sending" }).press("Enter");
  await expect(page.getByRole("button", { name: "Send a test to me" })).toBeVisible();
});
