import { readFile } from "node:fs/promises";
import { buyerOf, expect, expectAccessibleInBothSchemes, signInAs, test } from "../academy.ts";
import { watchConsole } from "../console.ts";

test("figures are readable by keyboard, as tables and as files, for the chosen period", async ({ page, academy }) => {
  const complaints = watchConsole(page);
  await buyerOf(academy, "basic");
  await signInAs(page, "admin@academy.test", "/admin/money");
  await page.getByRole("link", { name: "Figures" }).click();
  const chart = page.getByRole("slider", { name: "Sign-ups, point by point" });
  await expect(chart).toHaveAttribute("aria-valuetext", /Accounts made [1-9]/);
  const newest = await chart.getAttribute("aria-valuetext");
  await chart.press("ArrowLeft");
  await expect(chart).not.toHaveAttribute("aria-valuetext", newest ?? "");
  await page.getByText("Sign-ups as a table").press("Enter");
  await expect(page.getByRole("region", { name: "Sign-ups, table" })).toBeVisible();

  const steps = page.getByRole("table", { name: "From the landing page to a purchase, step by step" });
  await expect(steps.getByRole("row", { name: /Card submitted/ })).toContainText(/[1-9]/);
  const cohorts = page.getByRole("region", { name: "Who stays with Monthly Access, table" });
  await expect(cohorts.getByRole("row").nth(1)).toContainText("100%");
  await expect(page.getByRole("table", { name: "By first plan" }).getByRole("row").last()).toContainText("Everybody");
  await expectAccessibleInBothSchemes(page);

  await page.getByLabel("By", { exact: true }).selectOption("month");
  await expect(chart).toHaveAttribute("aria-valuetext", /^[A-Z][a-z]+ \d{4}:/);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV of the way to a purchase" }).click();
  const rows = (await readFile(await (await download).path(), "utf8")).trim().split("\r\n");
  expect(rows).toHaveLength(13);
  expect(rows[0]).toContain("start,landing,plan,account,card,paid");
  for (const of of ["sign-ups", "conversion", "retention", "lifetime value"]) {
    await expect(page.getByRole("link", { name: `CSV of ${of}`, exact: true })).toBeVisible();
  }
  complaints.expectEmpty();
});

test("a period without users says so, and a part that fails to load can be retried", async ({ page }) => {
  let isAway = true;
  await page.route("**/api/admin/figures/retention", (route) =>
    isAway ? route.fulfill({ status: 503, body: "" }) : route.continue(),
  );
  await signInAs(page, "admin@academy.test", "/admin/figures?from=2020-01-01&to=2020-01-31");
  await expect(page.getByText("Nobody signed up in these dates.")).toBeVisible();
  await expect(page.getByText("Nobody came in these dates.")).toBeVisible();
  await expect(page.getByText("The retention did not load.")).toBeVisible();
  isAway = false;
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("The retention did not load.")).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Who stays with Monthly Access, table" })).toBeVisible();
});
