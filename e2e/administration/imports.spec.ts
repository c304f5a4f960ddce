import { expect, expectAccessible, signInAs, test } from "../academy.ts";

const list = [
  "First Name,Last Name,Email,Products,Until",
  "Ana,Reyes,ana.reyes@example.test,Big Course,31/12/2031",
  "Ben,Ito,ben.ito@example.test,Big Course,",
  "Cy,Lund,not an address,Big Course,",
].join("\n");

test("an owner imports an export of another program, sends the invitations and deletes it", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 1000 });
  await signInAs(page, "admin@academy.test", "/admin?tab=users");
  await page.getByRole("link", { name: "Import students" }).press("Enter");
  await expect(page.getByText("No imports yet")).toBeVisible();
  await page
    .getByLabel("List of students")
    .setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(list) });
  await expect(page.getByText("This looks like an export of Kajabi")).toBeVisible();
  await expect(page.getByLabel("Plan", { exact: true })).toHaveValue("Products");
  await expect(page.getByText("Check that each column is right.")).toBeFocused();
  await expect(page.getByLabel("Date format")).toHaveValue("dmy");
  const plan = page.getByLabel("“Big Course” means");
  await plan.focus();
  await plan.selectOption({ label: "Annual Access" });
  const start = page.getByRole("button", { name: "Import 2 people" });
  await expect(start).toBeEnabled();
  await expect(plan).toBeFocused();
  await expect(page.getByText("This isn’t an email address.")).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 900 });

  await start.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Import" }).press("Enter");
  await expect(page.getByText("2 people imported")).toBeVisible();
  await expect(page.getByText("This looks like an export of Kajabi")).toBeHidden();
  await expect(page.getByText("2 people haven’t been emailed yet.")).toBeVisible();
  await page.getByRole("button", { name: "Preview the email" }).press("Enter");
  await expect(page.frameLocator("iframe").getByText("You have Annual Access until December 31, 2031.")).toBeVisible();
  await expectAccessible(page);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download errors" }).press("Enter");
  expect((await download).suggestedFilename()).toBe("people-errors.csv");
  await page.getByRole("button", { name: "Send 2 invitations" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Send" }).press("Enter");
  await expect(page.getByText("2 emails sent.")).toBeVisible();

  await page.getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
  await expect(page.getByText("No imports yet")).toBeVisible();
});
