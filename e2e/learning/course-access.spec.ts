import { expect, expectAccessible, sendWithoutReplies, signInAs, test } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { coverOf, playLesson } from "../video.ts";

test("the course sends visitors to sign-in and is closed without a plan, on hold and suspended", async ({ page }) => {
  await page.goto("/course-access?tab=community");
  await page.getByRole("button", { name: "Continue as basic@academy.test" }).click();
  await page.waitForURL("**/course-access?tab=community");
  await expect(page.getByRole("heading", { name: "Join the student chat" })).toBeVisible();
  await expect(page.getByText("2,100+ members").first()).toBeVisible();

  await sendWithoutReplies(page);
  await page.route("**/api/course-access", (route) => route.fulfill({ status: 503 }));
  await page.goto("/course-access");
  await expect(page.getByRole("heading", { name: "Failed to check course access" })).toBeVisible();
  await page.unroute("**/api/course-access");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("tab", { name: "Community" })).toBeVisible();

  const complaints = watchConsole(page);
  for (const [account, title, sentence, links] of [
    ["new", "No Course Access", "You don’t have a plan yet.", { "View Plans": "/#pricing" }],
    [
      "held",
      "Account On Hold",
      "Your last payment was declined. Please update your payment method.",
      { "Update Payment Method": "/payment-method", "Contact Support": "/contact" },
    ],
    [
      "suspended",
      "Account Suspended",
      "Suspended by the administrator for sharing sign-in details.",
      { "Contact Support": "/contact" },
    ],
  ] as const) {
    await signInAs(page, `${account}@academy.test`, "/course-access?welcome=true");
    await expect(page.getByRole("heading", { name: title })).toBeVisible();
    await expect(page.getByText("Payment Successful!")).toHaveCount(0);
    await expect(page.getByText(sentence)).toBeVisible();
    for (const [name, address] of Object.entries(links)) {
      await expect(page.getByRole("main").getByRole("link", { name })).toHaveAttribute("href", address);
    }
    await expect(page.getByRole("main").getByRole("link")).toHaveCount(Object.keys(links).length);
    if (account === "held") await expectAccessible(page);
    await page.getByRole("link", { name: "Dashboard", exact: true }).click();
    await expect(page.getByRole("heading", { name: account === "new" ? "Payment Required" : title })).toBeVisible();
    await expect(coverOf(page)).toHaveCount(0);
    if (account === "held") {
      await page.goto("/demo-dashboard?tab=resources");
      await expect(page.getByText("Every plan includes sheets, checklists and logs to download.")).toBeVisible();
    }
  }
  complaints.expectEmpty();

  // Without a reason.
  await page.route("**/api/course-access", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), suspensionReason: null } });
  });
  await page.goto("/course-access");
  await expect(page.getByText("Account temporarily restricted")).toBeVisible();
});

test("a paying student is welcomed once, opens a lesson, and searches the course by keyboard", async ({ page }) => {
  const complaints = watchConsole(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAs(page, "basic@academy.test", "/profile");
  await page.goto("/course-access?welcome=true");
  await expect(page.getByText("Payment Successful!").first()).toBeVisible();
  await page.waitForURL((url) => url.pathname + url.search === "/course-access");

  await page.locator("header summary").click();
  const bar = page.getByRole("navigation", { name: "Menu" });
  await expect(bar.getByText("Marisol")).toBeVisible();
  await expect(bar.getByText("Monthly Access")).toBeVisible();
  for (const [name, address] of [
    ["Dashboard", "/dashboard"],
    ["Profile", "/profile"],
    ["Logout", "/api/logout"],
  ] as const) {
    await expect(bar.getByRole("link", { name, exact: true })).toHaveAttribute("href", address);
  }
  for (const text of ["25%", "3 of 12 lessons", "of 5 modules", "<0.1 h", "2.1k"]) {
    await expect(page.getByText(text, { exact: true })).toBeVisible();
  }
  await expect(page.getByRole("tab", { name: "Course Modules" })).toHaveAttribute("aria-selected", "true");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

  await page.getByRole("heading", { name: "Store Scanning Mastery" }).click();
  await page.getByRole("link", { name: "When to Walk Away" }).click();
  await page.waitForURL("**/course-access?lesson=lesson-2-4");
  await expect(page.getByRole("region", { name: "When to Walk Away", exact: true })).toBeFocused();
  await playLesson(page);
  await page.reload();
  await expect(coverOf(page)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Back to lessons" }).click();
  await expect(page.getByRole("link", { name: "When to Walk Away" })).toHaveCount(0);
  await expect(page.getByRole("main").locator("summary").nth(1)).toBeFocused();

  await page.getByRole("heading", { name: "How to Find Winning Products" }).click();
  await expect(page.getByRole("link", { name: "See Annual Access" })).toHaveAttribute("href", "/?plan=premium");
  await page.getByRole("tab", { name: "Resources" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Resources" })).toBeVisible();
  await expect(page.locator("h1")).toHaveCount(1);

  // The search leads to the second that was found.
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto("/dashboard?lesson=lesson-1-1");
  await expect(coverOf(page)).toBeVisible();
  const search = page.getByRole("searchbox", { name: "Search the course" });
  // The page is in its first HTML, before its scripts know the key.
  await expect(async () => {
    await page.keyboard.press("/");
    await expect(search).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.type("zebra");
  await expect(page.getByText("No lessons match “zebra”.")).toBeVisible();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("carrier lab");
  await expect(page.locator("search mark").first()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard?lesson=lesson-3-3");
  await expect(page.getByRole("button", { name: /^Resume at 0:[2-9]\d: / })).toBeVisible();

  await page.keyboard.press("/");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("lenders");
  const locked = page.getByRole("search").getByRole("link").first();
  await expect(locked).toContainText("Opens with Lifetime Access");
  await expect(locked).toHaveAttribute("href", "/?plan=vip");
  await page.keyboard.press("Escape");
  await expect(locked).toHaveCount(0);
  complaints.expectEmpty();
});
