import { expect, expectAccessible, signInAs, testAlone } from "./academy.ts";
import { goToArea } from "./administration/page.ts";
import { watchConsole } from "./console.ts";

testAlone(
  "claims without proof are removed from all pages by one key press, and restored by another",
  async ({ page, ownAcademy: academy }) => {
    const landing = async () => (await academy.visitor().send("GET", "/")).text();
    await signInAs(page, "admin@academy.test", "/admin");
    await page.route("**/api/admin/claims", (route) => route.fulfill({ status: 503, body: "" }));
    await goToArea(page, "Site", "Claims");
    await expect(page.getByText("The claims didn't load.")).toBeVisible();
    await page.unroute("**/api/admin/claims");
    await page.getByRole("button", { name: "Retry" }).click();
    const rating = page.getByRole("article", { name: "4.9/5 average student rating" });
    await expect(rating).toContainText("No proof yet");
    await expect(
      page.getByText(/^\d+ claims on the pages have no proof yet\. Add proof or remove them\.$/),
    ).toBeVisible();
    const complaints = watchConsole(page);
    // The buttons' names do not contain the instructor's whole biography.
    await expect(page.getByRole("button", { name: /^Remove ?: Dana Whitlock.{0,60}…$/ })).toBeVisible();

    await rating.getByRole("button", { name: /^Add proof/ }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Proof", { exact: true }).fill("214 reviews on file, exported and signed.");
    await dialog.getByLabel("Date of the proof").fill("2026-11-20");
    await expectAccessible(page);
    await dialog.getByLabel("Link to it (optional)").fill("https://records.example/reviews");
    await dialog.getByRole("button", { name: "Save proof" }).click();
    await expect(rating).toContainText("Proof added");
    await expect(rating).toContainText("214 reviews on file");

    const program = page.getByRole("article", { name: "30-day program, at your own pace" });
    await program.getByRole("button", { name: /^Mark as needing no proof/ }).click();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Mark", exact: true }).click();
    await expect(program).toContainText("admin@academy.test");
    await expect(program.getByRole("button", { name: /^Mark as needing no proof/ })).toHaveCount(0);

    await page.getByRole("button", { name: "Remove all without proof" }).press("Enter");
    await expect(dialog).toContainText("500+ students enrolled");
    await expect(dialog).not.toContainText("4.9/5");
    await dialog.getByRole("button", { name: "Remove", exact: true }).press("Enter");
    await expect(page.getByText("Every claim that needs proof has it.")).toBeVisible();
    const without = await landing();
    expect(without).toContain("4.9/5");
    expect(without).toContain("30-day");
    for (const gone of ["500+", "Priya N.", "Dana Whitlock", "$98"]) expect(without).not.toContain(gone);

    const visit = await page.context().newPage();
    await visit.setViewportSize({ width: 320, height: 900 });
    await visit.goto("/");
    await expect(visit.getByRole("heading", { name: "Annual Access" })).toBeVisible();
    await expect(visit.getByRole("heading", { name: "Who teaches it" })).toHaveCount(0);
    expect(await visit.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await expect(visit.locator("#pricing s")).toHaveCount(0);
    await visit.close();

    await page.getByRole("combobox", { name: "Which claims" }).selectOption("Removed");
    await expect(page.getByRole("article", { name: "500+ students enrolled" })).toBeVisible();
    await expect(rating).toHaveCount(0);
    await page.getByRole("button", { name: /^Undo/ }).press("Enter");
    await expect(page.getByText("No claims of this kind")).toBeVisible();
    expect(await landing()).toContain("500+");
    complaints.expectEmpty();
  },
);
