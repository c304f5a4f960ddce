import { expect, expectAccessible, signInAs, test, testAlone } from "./academy.ts";
import { watchConsole } from "./console.ts";

testAlone(
  "what nothing backs goes off all pages by one press of the keyboard, and comes back",
  async ({ page, ownAcademy: academy }) => {
    const complaints = watchConsole(page);
    const landing = async () => (await academy.visitor().send("GET", "/")).text();
    await signInAs(page, "admin@academy.test", "/admin/claims");
    const rating = page.getByRole("article", { name: "4.9/5 average student rating" });
    await expect(rating).toContainText("Not backed");
    // The buttons' names do not contain the instructor's whole biography.
    await expect(page.getByRole("button", { name: /^Take off ?: Dana Whitlock.{0,60}…$/ })).toBeVisible();
    await expectAccessible(page);

    await rating.getByRole("button", { name: /^Add a record/ }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("What backs it").fill("214 reviews on file, exported and signed.");
    await dialog.getByLabel("Day of the evidence").fill("2026-11-20");
    await expectAccessible(page);
    await dialog.getByLabel("Link to it (optional)").fill("https://records.example/reviews");
    await dialog.getByRole("button", { name: "Keep the record" }).click();
    await expect(rating).toContainText("Backed by a record");
    await expect(rating).toContainText("214 reviews on file");

    await page.getByRole("button", { name: "Take all unbacked off" }).press("Enter");
    await expect(dialog).toContainText("500+ students enrolled");
    await expect(dialog).not.toContainText("4.9/5");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Take them off" }).press("Enter");
    await expect(page.getByText("Our data or a record backs each claim that is on the pages.")).toBeVisible();
    const without = await landing();
    expect(without).toContain("4.9/5");
    for (const gone of ["500+", "Priya N.", "Dana Whitlock", "$98"]) expect(without).not.toContain(gone);

    await page.getByRole("combobox", { name: "Which claims" }).selectOption("Off the pages");
    await expect(page.getByRole("article", { name: "500+ students enrolled" })).toBeVisible();
    await expect(rating).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole("button", { name: /^Undo/ }).press("Enter");
    await expect(page.getByText("No claims of this kind")).toBeVisible();
    expect(await landing()).toContain("500+");
    complaints.expectEmpty();
  },
);

testAlone(
  "a landing page without its claims is whole, on a phone and in the dark",
  async ({ page, ownAcademy: academy }) => {
    const complaints = watchConsole(page);
    const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
    await administrator.send("POST", "/api/admin/claims/withdraw", "{}");
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.goto("/");
        await expect(page.getByRole("heading", { name: "Annual Access" })).toBeVisible();
        await expect(page.getByRole("heading", { name: "Who teaches it" })).toHaveCount(0);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
          0,
        );
        await expectAccessible(page);
      }
    }
    await page.locator("#pricing").scrollIntoViewIfNeeded();
    await expect(page.locator("#pricing s")).toHaveCount(0);
    complaints.expectEmpty();
  },
);

test("claims that fail to load can be retried", async ({ page }) => {
  await signInAs(page, "admin@academy.test", "/admin");
  await page.route("**/api/admin/claims", (route) => route.fulfill({ status: 503, body: "" }));
  await page.getByRole("link", { name: "Claims" }).click();
  await expect(page.getByText("The claims did not load.")).toBeVisible();
  await expectAccessible(page);
  await page.unroute("**/api/admin/claims");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("article").first()).toBeVisible();
});
