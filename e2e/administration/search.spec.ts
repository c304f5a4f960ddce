import type { Locator } from "@playwright/test";
import { expect, expectAccessibleInBothSchemes, holdBack, signInAs, test } from "../academy.ts";
import { watchConsole } from "../console.ts";

test("the / key opens a search for people, purchases, lessons and pages, also with forced colors", async ({
  page,
  academy,
}) => {
  const { student } = await academy.purchase("basic");
  const complaints = watchConsole(page);
  await signInAs(page, "admin@academy.test", "/admin/coupons");
  const opener = page.getByRole("button", { name: "Search" });
  await expect(opener).toBeVisible();
  await page.keyboard.press("/");
  const field = page.getByRole("combobox", { name: "Search people, purchases and lessons" });
  await expect(field).toBeFocused();

  await field.fill(student.email);
  const results = page.getByRole("listbox", { name: "Results" });
  await expect(results.getByRole("option")).toHaveText([/^Jo Vendor/, /^Monthly Access, \$49\.00/]);
  await expect(results.getByRole("option", { selected: true })).toHaveText(/^Jo Vendor/);
  await expectAccessibleInBothSchemes(page);
  await field.press("ArrowDown");
  await expect(results.getByRole("option", { selected: true })).toHaveText(/^Monthly Access/);
  await field.press("Enter");
  await page.waitForURL(/\/admin\?tab=purchases&purchase=/);
  await expect(page.getByRole("dialog")).toHaveCount(0);

  // The reply comes after Enter.
  await opener.click();
  const letAnswer = await holdBack(page, "**/api/admin/search*");
  await field.fill("account");
  await field.press("Enter");
  await expect(page.getByText("Searching", { exact: true })).toBeVisible();
  letAnswer();
  await page.waitForURL(/\/admin\/content\?edit=lesson\./);
  await page.unroute("**/api/admin/search*");

  await page.goto("/admin/coupons");
  await opener.click();
  await field.fill("facebook");
  await expect(results.getByRole("option")).toHaveText(["CommunitiesSettings"]);
  await field.fill("lifetime acc");
  await expect(results.getByRole("option", { name: "Lifetime Access Plan" })).toHaveAttribute(
    "href",
    "/admin/content?edit=plan.vip_lifetime",
  );
  await field.fill("nobody at all");
  await expect(page.getByText("Nothing matches “nobody at all”.")).toBeVisible();
  complaints.expectEmpty();
  await page.route("**/api/admin/search*", (route) => route.abort());
  await field.fill("ada");
  await expect(page.getByRole("dialog").getByRole("button", { name: "Retry" })).toBeVisible();
  await page.unroute("**/api/admin/search*");
  await page.keyboard.press("Escape");
  await expect(opener).toBeFocused();

  // The key is a letter while somebody writes.
  await page.goto("/admin?tab=users");
  await page.getByRole("searchbox").pressSequentially("a/b");
  await expect(page.getByRole("searchbox")).toHaveValue("a/b");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  // With forced colors, a menu and the search mark the chosen line.
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(`/admin?tab=users&search=${encodeURIComponent(student.email)}`);
  const isMarked = (line: Locator, other: Locator) =>
    expect
      .poll(async () => (await backgroundOf(line)) !== (await backgroundOf(other)), { message: `${line}` })
      .toBe(true);
  await page.getByRole("button", { name: "Actions for Jo Vendor" }).press("Enter");
  const actions = page.getByRole("menuitem");
  await isMarked(actions.first(), actions.last());
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await field.fill(student.email);
  const lines = results.getByRole("option");
  await isMarked(lines.first(), lines.last());
});

const backgroundOf = (line: Locator) => line.evaluate((it) => getComputedStyle(it).backgroundColor);
