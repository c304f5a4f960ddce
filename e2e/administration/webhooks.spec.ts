import { expect, expectAccessible, signInAs, test } from "../academy.ts";

test("an owner adds a webhook, copies its secret, tries it, pauses and deletes it", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 900 });
  await signInAs(page, "admin@academy.test", "/admin/webhooks");
  await expect(page.getByText("No webhooks yet")).toBeVisible();
  await page.getByRole("button", { name: "New webhook" }).press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create webhook" }).press("Enter");
  await expect(dialog.getByText("Select at least one event.")).toBeVisible();
  await dialog.getByLabel("Address").fill("http://hooks.example.invalid/academy");
  await dialog.getByRole("button", { name: "Select all: Purchases" }).press("Enter");
  await expect(dialog.getByLabel("A purchase was paid")).toBeChecked();
  await expect(dialog.getByRole("checkbox", { checked: true })).toHaveCount(3);
  await dialog.getByRole("button", { name: "Create webhook" }).press("Enter");
  await expect(dialog.getByText("Enter an address that begins with https://.")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel("Address").fill("https://hooks.example.invalid/academy");
  await dialog.getByRole("button", { name: "Create webhook" }).press("Enter");
  const secret = page.getByRole("dialog", { name: "Signing secret" });
  await expect(secret.getByText(/^whsec_/)).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.mouse.click(2, 2);
  await secret.getByRole("button", { name: "I’ve copied it" }).press("Enter");
  await expect(page.getByRole("button", { name: "New webhook" })).toBeFocused();

  const actions = page.getByRole("button", { name: "Actions for https://hooks.example.invalid/academy" });
  await actions.press("Enter");
  await page.getByRole("menuitem", { name: "Send test" }).press("Enter");
  await page.getByText("Deliveries of the last 30 days").press("Enter");
  await expect(page.getByText("We couldn’t find this address. Check it for typos.")).toBeVisible();
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

test("an owner creates a token, copies it, calls the academy with it and revokes it", async ({ page, request }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await signInAs(page, "admin@academy.test", "/admin/webhooks");
  await expect(page.getByText("No tokens yet")).toBeVisible();
  await page.getByRole("button", { name: "New token" }).press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Zapier");
  await dialog.getByRole("button", { name: "Create token" }).press("Enter");
  await expect(dialog.getByText("Select at least one permission.")).toBeVisible();
  await dialog.getByLabel("See students:").check();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create token" }).press("Enter");
  const created = page.getByRole("dialog", { name: "Your new token" });
  await created.getByRole("button", { name: "Copy" }).press("Enter");
  await expect(page.getByText("Copied", { exact: true })).toBeVisible();
  const token = await page.evaluate(() => navigator.clipboard.readText());
  expect(token).toMatch(/^acad_/);
  await created.getByRole("button", { name: "I’ve copied it" }).press("Enter");
  await expect(page.getByRole("button", { name: "New token" })).toBeFocused();

  // The first command of the example.
  const command = await page.getByText("curl").first().textContent();
  const address = /"(http[^"]+)"/.exec(command ?? "")?.[1] ?? "";
  const call = () => request.get(address, { headers: { authorization: `Bearer ${token}` } });
  expect((await call()).status()).toBe(200);
  await page.reload();
  const row = page.getByRole("row", { name: /Zapier/ });
  await expect(row).not.toContainText("Never");
  await expect(row).toContainText("See students: names, addresses, plans and progress");
  await expectAccessible(page);
  await row.getByRole("button", { name: "Revoke, Zapier" }).press("Enter");
  await dialog.getByRole("button", { name: "Revoke token" }).press("Enter");
  await expect(page.getByText("No tokens yet")).toBeVisible();
  expect((await call()).status()).toBe(401);

  await page.goto("/admin/audit");
  await expect(page.getByText("revoked the token “Zapier”")).toBeVisible();
});
