import { expect, expectAccessible, signInAs, testAlone } from "../academy.ts";

testAlone("by keyboard alone a student books, moves and cancels a session", async ({ browser, ownAcademy }) => {
  const context = await browser.newContext({ baseURL: ownAcademy.url, timezoneId: "America/New_York" });
  const page = await context.newPage();
  await signInAs(page, "vip@academy.test", "/coaching");
  await page.getByRole("link", { name: "Move, cancel or add to calendar" }).press("Enter");
  await page.getByRole("button", { name: "Cancel it" }).press("Enter");
  await page.getByRole("button", { name: "Cancel session" }).press("Enter");
  await expect(page.getByRole("main").getByRole("status").filter({ hasText: "You cancelled it." })).toBeVisible();

  await page.getByRole("link", { name: "All of your coaching" }).press("Enter");
  const times = page.getByRole("group", { name: "Free times of the next 30 days" }).getByRole("radio");
  await times.nth(30).press("Space");
  await expect(times.nth(30)).toBeChecked();
  await expectAccessible(page);
  await page.getByLabel("What are you stuck on?").fill("Fees");
  await page.getByRole("button", { name: "Book this session" }).press("Enter");
  await expect(page.getByRole("main").getByRole("status").filter({ hasText: "Booked for" })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Move it" }).press("Enter");
  await times.nth(40).press("Space");
  await page.getByRole("button", { name: "Move the session" }).press("Enter");
  await expect(page.getByText(/You can move it once more/)).toBeVisible();
  await context.close();
});
