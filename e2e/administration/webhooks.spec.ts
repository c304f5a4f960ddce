import { expect, expectAccessible, signInAs, testAlone } from "../academy.ts";

testAlone("an owner adds a webhook, copies its secret, tries it, pauses and deletes it", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 900 });
  await signInAs(page, "admin@academy.test", "/admin/webhooks");
  await expect(page.getByText("No webhooks yet")).toBeVisible();
  await page.getByRole("button", { name: "New webhook" }).press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create webhook" }).press("Enter");
  await expect(dialog.getByText("Select at least one event")).toBeVisible();
  await dialog.getByLabel("Address").fill("http://hooks.example.invalid/academy");
  await dialog.getByLabel("A purchase was paid").check();
  await dialog.getByRole("button", { name: "Create webhook" }).press("Enter");
  await expect(dialog.getByText("Enter an address that begins with https://")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel("Address").fill("https://hooks.example.invalid/academy");
  await dialog.getByRole("button", { name: "Create webhook" }).press("Enter");
  const secret = page.getByRole("dialog", { name: "Signing secret" });
  await expect(secret.getByText(/^whsec_/)).toBeVisible();
  await expectAccessible(page);
  await secret.getByRole("button", { name: "Done" }).press("Enter");

  const actions = page.getByRole("button", { name: "Actions for https://hooks.example.invalid/academy" });
  await actions.press("Enter");
  await page.getByRole("menuitem", { name: "Send test" }).press("Enter");
  await page.getByText("Deliveries of the last 30 days").press("Enter");
  await expect(page.getByText("The name of its server can’t be found.")).toBeVisible();
  await page.getByText("Content", { exact: true }).press("Enter");
  await expect(page.getByText(/"type":"test"/)).toBeVisible();
  await expectAccessible(page);
  await actions.press("Enter");
  await page.getByRole("menuitem", { name: "Pause" }).press("Enter");
  await expect(page.getByText("Paused", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: /^Send again/ }).waitFor({ state: "hidden" });
  await actions.press("Enter");
  await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
  await dialog.getByRole("button", { name: "Delete webhook" }).press("Enter");
  await expect(page.getByText("No webhooks yet")).toBeVisible();
});
