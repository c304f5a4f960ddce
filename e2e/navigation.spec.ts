import type { Page } from "@playwright/test";
import { expect, expectAccessible, expectLive, signInAs, test } from "./academy.ts";
import { watchConsole } from "./console.ts";

test("navigating to a page of the app loads no new document, but sets title, focus and scroll position", async ({
  page,
}) => {
  await signInAs(page, "vip@academy.test", "/profile#my-data");
  await expect(page.getByRole("heading", { name: "My data" })).toBeInViewport();
  await page.goto("/profile");
  await expectLive(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.locator("#main")).toBeFocused();

  const complaints = watchConsole(page);
  await expect(page).toHaveTitle("My Profile | Academy");
  const document = await markDocument(page);
  await page.setViewportSize({ width: 800, height: 400 });
  const link = page.getByRole("main").getByRole("link", { name: "Membership" });
  await link.scrollIntoViewIfNeeded();
  const left = await scrolled(page);
  expect(left).toBeGreaterThan(0);
  await link.click();
  await expect(page).toHaveTitle("Your membership | Academy");
  await expect(page.locator("#main")).toBeFocused();
  await expect.poll(() => scrolled(page)).toBe(0);

  await page.goBack();
  await expect(page).toHaveTitle("My Profile | Academy");
  await expect.poll(() => scrolled(page)).toBe(left);
  await page.goForward();
  await expect(page).toHaveTitle("Your membership | Academy");
  await expect.poll(() => scrolled(page)).toBe(0);
  expect(await document.isSame()).toBe(true);

  await page.reload();
  await expect(page).toHaveTitle("Your membership | Academy");
  await page.goBack();
  await expect(page).toHaveTitle("My Profile | Academy");
  await expect(page.getByRole("heading", { level: 1, name: "My Profile" })).toBeVisible();
  complaints.expectEmpty();

  // A page restored from the back-forward cache after a logout shows no user. A controlled browser has no such cache,
  // so the test dispatches its event.
  await expect(page.getByRole("main")).toContainText("vip@academy.test");
  await page.request.get("/api/logout");
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  await expect(page.getByRole("heading", { level: 1, name: "Please Sign In" })).toBeVisible();
  await expect(page).toHaveTitle("My Profile | Academy");
  await expect(page.getByRole("main")).not.toContainText("vip@academy.test");
  await page.getByRole("link", { name: "Go to Home" }).click();
  await page.waitForURL((url) => url.pathname === "/");
});

test("a reload restores the scroll position, and a phone's menu has all pages", async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 400 });
  await signInAs(page, "admin@academy.test", "/admin?tab=users");
  await page
    .getByRole("button", { name: /^Actions for/ })
    .first()
    .scrollIntoViewIfNeeded();
  const left = await scrolled(page);
  expect(left).toBeGreaterThan(0);
  await page.reload();
  await expect(page.getByRole("button", { name: /^Actions for/ }).first()).toBeVisible();
  await expect.poll(async () => Math.abs((await scrolled(page)) - left)).toBeLessThan(40);
  await page.goto("/profile");
  await expect(page.getByRole("heading", { name: "Security" })).toBeVisible();
  expect(await scrolled(page)).toBe(0);

  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/dashboard");
  const menu = page.getByRole("navigation", { name: "Menu" });
  // A press before React has taken over is lost.
  await expect(async () => {
    if (!(await menu.isVisible())) await page.locator("header summary").press("Enter");
    await expect(menu).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(menu.getByRole("link")).toHaveText([
    ...["Admin", "Dashboard", "Course Access", "Coaching", "Resources", "Profile", "Logout"],
  ]);
  await expect(menu.getByRole("link", { name: "Logout" })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await page.locator("header summary").press("Enter");
  await menu.getByRole("link", { name: "Resources" }).click();
  await expect(page.getByRole("tab", { name: "Resources" })).toHaveAttribute("aria-selected", "true");
  await expect(menu).toBeHidden();
});

test("a page that does not open says so and opens later; links prefetch on hover and focus", async ({
  page,
  context,
}) => {
  await signInAs(page, "vip@academy.test");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Welcome");
  // The page's code must not have been prefetched.
  await context.setOffline(true);
  await page.getByRole("link", { name: "Profile" }).click();
  await expect(page.getByText("You're offline. Everything you saved is safe.")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1, name: "My Profile" })).toBeVisible();

  // The bar about the address is on every page, and none of them needs it.
  const withoutCode = /\/assets\/(profile|unconfirmed-address)-[^/]+\.js/;
  await page.route(withoutCode, (route) => route.abort());
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Welcome");
  const document = await markDocument(page);
  await page.getByRole("link", { name: "Profile" }).click();
  await expect(page.getByRole("heading", { name: "This page didn't load" })).toBeVisible();
  await expect(page).toHaveTitle("This page didn't load | Academy");
  await expect(page).toHaveURL(/\/profile$/);

  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Welcome");
  await page.getByRole("link", { name: "Coaching", exact: true }).click();
  await expect(page).toHaveTitle("Coaching | Academy");
  expect(await document.isSame()).toBe(true);

  await page.goto("/profile");
  await expect(page.getByRole("heading", { name: "This page didn't load" })).toBeVisible();
  await page.unroute(withoutCode);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "My Profile" })).toBeVisible();

  await page.goto("/dashboard");
  await expectLive(page);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Welcome");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const isAsked = (pattern: RegExp) => asked.some((path) => pattern.test(path));

  await page.getByRole("link", { name: "Profile" }).hover();
  await expect.poll(() => isAsked(/^\/assets\/profile-.*\.js$/)).toBe(true);
  await expect.poll(() => isAsked(/^\/api\/user\/sessions$/)).toBe(true);
  await page.getByRole("link", { name: "Coaching", exact: true }).focus();
  await expect.poll(() => isAsked(/^\/assets\/coaching-.*\.js$/)).toBe(true);
  await expect.poll(() => isAsked(/^\/api\/coaching/)).toBe(true);
  await expect(page).toHaveURL(/\/dashboard$/);
});

test("public pages and the checkout are separate documents with their own policies", async ({ page }) => {
  await signInAs(page, "new@academy.test");
  const buy = page.getByRole("link", { name: "Get Started Now" });
  await expect(buy).toBeVisible();
  const application = await markDocument(page);
  const [checkout] = await Promise.all([page.waitForResponse(/\/checkout\?/), buy.click()]);
  expect(checkout.headers()["content-security-policy"]).not.toContain("youtube");
  await expect(page).toHaveTitle("Checkout | Academy");
  expect(await application.isSame()).toBe(false);

  const [home] = await Promise.all([
    page.waitForResponse((response) => new URL(response.url()).pathname === "/"),
    page.getByRole("link", { name: "Academy, home" }).click(),
  ]);
  expect(home.request().isNavigationRequest()).toBe(true);
  await page.goBack();
  await expect(page).toHaveTitle("Checkout | Academy");
});

async function markDocument(page: Page): Promise<{ isSame: () => Promise<boolean> }> {
  await page.evaluate(() => Object.assign(window, { isMarked: true }));
  return { isSame: () => page.evaluate(() => "isMarked" in window) };
}

function scrolled(page: Page): Promise<number> {
  return page.evaluate(() => Math.round(window.scrollY));
}
