import { expect, expectAccessible, signInAs, testAlone } from "../academy.ts";
import { expectToast, goToArea } from "./page.ts";

testAlone(
  "an owner turns on a sequence, previews its email, and reads what it led to",
  async ({ page, ownAcademy }) => {
    await page.setViewportSize({ width: 390, height: 900 });
    await signInAs(page, "admin@academy.test", "/admin");
    await ownAcademy.pool.query(`insert into sequence_emails
      (id, user_id, sequence, step, occasion, is_control, decided_at, has_returned, has_bought)
    select u.id || n, u.id, 'welcome', 0, n::text, n > 6, now() - interval '10 days', n % 2 = 0, n = 1
    from generate_series(1, 8) n, users u where email = 'admin@academy.test'`);
    await ownAcademy.pool.query(`insert into sent_emails (id, user_id, kind, subject, sent_at)
      select id, user_id, sequence, '', decided_at from sequence_emails where not is_control`);
    await goToArea(page, "Emails", "Sequences");
    const welcome = page.getByRole("region", { name: "Welcome", exact: true });
    await expect(welcome.getByRole("row", { name: /How to start/ })).toContainText(
      /6Control: 2.*50%Control: 50%.*17%Control: 0%/,
    );
    await expect(page.getByRole("region", { name: "Unused membership" })).toContainText("No emails sent yet.");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await expectAccessible(page);
    const opened = page.context().waitForEvent("page");
    await welcome.getByRole("link", { name: /How to start/ }).press("Enter");
    const preview = await opened;
    await expect(preview.getByRole("link", { name: "Go to the course" })).toBeVisible();
    await expect(preview.getByRole("link", { name: "Unsubscribe from news and reminders" })).toBeVisible();
    await preview.close();

    const send = welcome.getByRole("checkbox", { name: "On (emails of “Welcome”)" });
    await expect(send).not.toBeChecked();
    await send.press("Space");
    const share = page.getByLabel("Control group size (%)");
    await share.fill("60");
    await page.getByRole("button", { name: "Save", exact: true }).press("Enter");
    await expect(page.getByText("Enter a number from 0 to 50.")).toBeVisible();
    await share.fill("25");
    await page.getByRole("button", { name: "Save", exact: true }).press("Enter");
    await expectToast(page, "Sequences saved");
    await expect(page.getByRole("button", { name: "Save", exact: true })).toBeFocused();
    await page.reload();
    await expect(send).toBeChecked();
    await expect(share).toHaveValue("25");
  },
);
