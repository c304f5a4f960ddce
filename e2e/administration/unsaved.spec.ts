import { createAnnouncement, deleteAnnouncement, listAnnouncements } from "#contract/admin/announcements.ts";
import { getCoachDesk, setCoachSettings } from "#contract/coaching/coach.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { expect, expectAccessible, expectAccessibleInBothSchemes, signInAs, test, testAlone } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { expectToast } from "./page.ts";

test("unsaved text of a team member waits for them, and no other user sees it", async ({ page, academy }) => {
  const student = await academy.visitor().signUp();
  const address = `/admin/users/${(await student.call(getCurrentUser)).body.id}`;
  const note = page.getByLabel("New note");
  await signInAs(page, "admin@academy.test", address);
  await note.fill("Asked for a call.");
  // The session ends without a sign-out.
  await page.context().clearCookies();
  await signInAs(page, "helpdesk@academy.test", address);
  await expect(note).toHaveValue("");
  await note.fill("Wants an invoice.");
  await page.context().clearCookies();
  await signInAs(page, "admin@academy.test", address);
  await expect(note).toHaveValue("Asked for a call.");
});

test("when two tabs edit one announcement, the second is told what the first saved, and no text is lost", async ({
  page,
  academy,
}) => {
  const admin = await academy.visitor().signInAsDemo("admin@academy.test");
  const body = { subject: "Module 6", text: "It is here.", button: null, audience: "everybody" };
  const { id } = (await admin.call(createAnnouncement, { body })).body;
  const saved = async () => (await admin.call(listAnnouncements)).body.find((one) => one.id === id);
  await signInAs(page, "admin@academy.test", `/admin/announcements?open=${id}`);
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
  await meanwhile.getByText("From your words to theirs").press("Enter");
  await expect(meanwhile.getByRole("insertion").filter({ hasText: "Module 6 is here" })).toBeVisible();
  await expect(page.getByLabel("Text")).toHaveValue("Have fun with it.");
  await expectAccessibleInBothSchemes(page);
  await page.getByLabel("Subject").fill("Module 6 is here");
  await meanwhile.getByRole("button", { name: "Keep mine" }).press("Enter");
  await expect(save).toBeFocused();
  await save.press("Enter");
  await expectToast(page, "Draft saved");
  expect(await saved()).toMatchObject({ subject: "Module 6 is here", text: "Have fun with it." });

  await other.getByLabel("Text").fill("Never mind.");
  await other.getByRole("button", { name: "Save draft" }).click();
  await other.getByRole("button", { name: "Take theirs" }).press("Enter");
  await expect(other.getByLabel("Text")).toHaveValue("Have fun with it.");
  await expect(other.getByRole("combobox", { name: "To" })).toBeFocused();
  await expect(other.getByRole("button", { name: "Delete draft" })).toBeVisible();
});

test("text typed into an announcement that is meanwhile deleted stays readable", async ({ page, academy }) => {
  const complaints = watchConsole(page);
  const admin = await academy.visitor().signInAsDemo("admin@academy.test");
  const body = { subject: "Module 7", text: "It is here.", button: null, audience: "everybody" };
  const { id } = (await admin.call(createAnnouncement, { body })).body;
  await signInAs(page, "admin@academy.test", `/admin/announcements?open=${id}`);
  await page.getByLabel("Text").fill("Bring boxes.");
  await admin.call(deleteAnnouncement, { params: { id }, body: {} });
  await page.reload();
  const left = page.getByRole("region", { name: "Not saved" });
  await expect(left).toContainText("Bring boxes.");
  await expectAccessible(page);
  await left.getByRole("button", { name: "Discard" }).press("Enter");
  await expect(left).toHaveCount(0);
  await page.reload();
  await expect(page.getByText("There is no such announcement.")).toBeVisible();
  await expect(left).toHaveCount(0);
  complaints.expectEmpty();
});

testAlone(
  "a dialog that is left keeps what was typed, shows what a coach saved meanwhile, and forgets when cancelled",
  async ({ page, ownAcademy }) => {
    const coach = await ownAcademy.visitor().signInAsDemo("coach@academy.test");
    const desk = async () => (await coach.call(getCoachDesk)).body;
    const { settings } = await desk();
    await signInAs(page, "admin@academy.test", "/admin/coaching");
    const open = page.getByRole("button", { name: `Change ${settings.displayName}` });
    await open.press("Enter");
    const dialog = page.getByRole("dialog");
    const name = dialog.getByLabel("Name that students see");
    await name.fill("Dana from the shop");
    await expect(dialog.getByText("Not saved yet; kept in this browser.")).toBeVisible();
    await name.press("Escape");
    await expect(dialog).toHaveCount(0);
    await page.goto("/admin");
    const hours = [{ weekday: 1, fromTime: "06:00", toTime: "07:00" }];
    await coach.call(setCoachSettings, { body: { ...settings, hours } });
    await page.goto("/admin/coaching");
    await open.press("Enter");
    await expect(name).toHaveValue("Dana from the shop");
    await dialog.getByLabel("Reason").fill("Her shop opened");
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
    await expectToast(page, "Failed to save the coach");
    expect((await desk()).settings).toEqual({ ...settings, hours });
    const meanwhile = dialog.getByRole("region", { name: "Changed meanwhile" });
    await meanwhile.getByText("From your words to theirs").press("Enter");
    await expect(meanwhile.getByRole("insertion").filter({ hasText: "06:00 to 07:00" })).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await meanwhile.getByRole("button", { name: "Take theirs" }).press("Enter");
    await expect(name).toHaveValue(settings.displayName);
    await expect(dialog.getByLabel("Active: offers sessions")).toBeFocused();

    await name.fill("Dana from the shop");
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
    await expectToast(page, "Coach saved");
    expect((await desk()).settings).toEqual({ ...settings, hours, displayName: "Dana from the shop" });
    await page.getByRole("button", { name: "Change Dana from the shop" }).press("Enter");
    await name.fill("Nobody");
    await dialog.getByRole("button", { name: "Cancel" }).press("Enter");
    await page.getByRole("button", { name: "Change Dana from the shop" }).press("Enter");
    await expect(name).toHaveValue("Dana from the shop");
  },
);
