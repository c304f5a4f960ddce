import { getCoachDesk, setCoachSettings } from "#contract/coaching/coach.ts";
import { expect, expectAccessibleInBothSchemes, signInAs, testAlone } from "../academy.ts";
import { expectToast, goToArea } from "./page.ts";

testAlone(
  "unsaved text waits for its author, shows what was saved meanwhile, and is gone once cancelled",
  async ({ page, ownAcademy }) => {
    const student = await ownAcademy.visitor().signUp();
    const address = `/admin/users/${await student.id()}`;
    const note = page.getByLabel("New note");
    await signInAs(page, "admin@academy.test", address);
    await note.fill("Asked for a call.");
    // The session ends without a sign-out.
    await signInAs(page, "helpdesk@academy.test", address);
    await expect(note).toHaveValue("");
    await note.fill("Wants an invoice.");
    await signInAs(page, "admin@academy.test", address);
    await expect(note).toHaveValue("Asked for a call.");

    const coach = await ownAcademy.visitor().signInAsDemo("coach@academy.test");
    const desk = async () => (await coach.call(getCoachDesk)).body;
    const { settings } = await desk();
    await goToArea(page, "Coaching");
    const open = page.getByRole("button", { name: `Change ${settings.displayName}` });
    await open.press("Enter");
    const dialog = page.getByRole("dialog");
    const name = dialog.getByLabel("Name shown to students");
    await name.fill("Dana from the shop");
    await expect(dialog.getByText("Not saved yet. Your changes are kept in this browser.")).toBeVisible();
    await name.press("Escape");
    await expect(dialog).toHaveCount(0);
    const hours = [{ weekday: 1, fromTime: "06:00", toTime: "07:00" }];
    await coach.call(setCoachSettings, { body: { ...settings, hours } });
    await page.reload();
    await open.press("Enter");
    await expect(name).toHaveValue("Dana from the shop");
    await dialog.getByLabel("Reason").fill("Her shop opened");
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
    await expectToast(page, "Failed to save the coach");
    expect((await desk()).settings).toEqual({ ...settings, hours });
    const meanwhile = dialog.getByRole("region", { name: "Changed meanwhile" });
    await meanwhile.getByText("Compare your changes with theirs").press("Enter");
    await expect(meanwhile.getByRole("insertion").filter({ hasText: "06:00 to 07:00" })).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await meanwhile.getByRole("button", { name: "Use theirs" }).press("Enter");
    await expect(name).toHaveValue(settings.displayName);
    await expect(dialog.getByLabel("Active, so students can book sessions")).toBeFocused();

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
