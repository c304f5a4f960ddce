import type { Page } from "@playwright/test";
import { expect, expectAccessible, expectFocusVisible, expectLive, holdBack, signInAs, test } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { fillContactForm } from "../forms.ts";

test("the bar knows a signed-in user without a shift, keeps hydration's HTML, and signs out", async ({ page }) => {
  await signInAs(page, "vip@academy.test");
  const letAnswer = await holdBack(page, "**/api/auth/user");
  const complaints = watchConsole(page);
  const heading = page.getByRole("heading", { level: 1 });
  for (const path of ["/signup", "/demo-dashboard", "/"]) {
    await page.goto(path);
    await expect(heading).toBeVisible();
    await expectLive(page);
    // Skips the delay of the CSS animation for pages without scripts.
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) {
        if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish();
      }
    });
    for (const name of ["Login", "Sign Up"]) await expect(page.getByRole("link", { name, exact: true })).toHaveCount(0);
  }
  await expect
    .poll(() =>
      page.evaluate(() =>
        [...document.fonts].some(({ family, status }) => family.includes("Archivo Variable") && status === "loaded"),
      ),
    )
    .toBe(true);
  const before = await heading.boundingBox();
  letAnswer();
  await expect(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Dashboard" })).toBeVisible();
  expect(await heading.boundingBox()).toEqual(before);
  complaints.expectEmpty();
  const bar = page.getByRole("banner");
  for (const name of ["Course", "Pricing", "Contact", "Coaching", "Resources", "Dashboard", "Profile", "Logout"])
    await expect(bar.getByRole("link", { name })).toBeVisible();
  await expect(bar.getByRole("link", { name: "Login" })).toHaveCount(0);
  await bar.getByRole("link", { name: "Logout" }).click();
  await page.waitForURL("**/");
  await expect(page.getByRole("link", { name: "Login" }).first()).toBeVisible();

  // A question that the sign-out overtook is an error in the console, so this counts anew.
  const laterComplaints = watchConsole(page);
  // Hydration keeps the server's HTML even when the user is already known.
  await page.unroute("**/api/auth/user");
  await signInAs(page, "held@academy.test");
  // React renders in slices and schedules the next one by this message, so replies arrive in between.
  await page.addInitScript(() => {
    const { postMessage } = MessagePort.prototype;
    MessagePort.prototype.postMessage = function (...message: [unknown]) {
      setTimeout(() => postMessage.apply(this, message), 100);
    };
  });
  for (const path of ["/demo-dashboard?tab=resources", "/contact"]) {
    await page.goto(path);
    await expect(page.getByRole("navigation").getByRole("link", { name: "Dashboard" })).toBeVisible();
    await expectLive(page);
  }
  laterComplaints.expectEmpty();
});

test("a link with signup=true and a pricing button keep the plan, and lead to its checkout", async ({ page }) => {
  await page.goto("/?signup=true&tier=vip&priceId=vip_lifetime&price=1497&code=spring");
  await page.waitForURL("**/issuer/**");
  await page.goto("/sitemap");
  expect(await keptPlan(page)).toEqual(["vip", "vip_lifetime", "1497", "Lifetime Access", "spring"]);
  await page.goto("/?signup=true&tier=basic&priceId=basic_monthly&price=49");
  await page.getByRole("button", { name: "Continue as new@academy.test" }).click();
  await page.waitForURL((url) => url.pathname === "/checkout" && url.searchParams.get("tier") === "basic");
  await expect(page.getByLabel("Card Number")).toBeVisible();
  // The coupon of the earlier plan is forgotten.
  expect(await keptPlan(page)).toEqual(["basic", "basic_monthly", "49", "Monthly Access", null]);

  await page.goto("/?plan=vip");
  await page.locator("#pricing").getByRole("button").nth(2).click();
  await page.waitForURL("**/checkout?tier=vip&priceId=vip_lifetime&name=Lifetime%20Access&price=1497");
  expect(await keptPlan(page)).toEqual(["vip", "vip_lifetime", "1497", "Lifetime Access", null]);
  await expect(page.getByLabel("Card Number")).toBeVisible();
  await page.goBack();
  await expect(page.locator("#pricing")).toBeVisible();
});

test("public pages go back, a section link moves the focus, and a page that is not there leads home", async ({
  page,
}) => {
  await page.goto("/");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Sign Up" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Create your account");
  await expect(page).toHaveTitle(/^Create your account/);
  await page.goBack();
  await expect(page.locator("#pricing")).toHaveCount(1);
  await page.goForward();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Create your account");
  for (const path of ["/signup", "/"]) {
    if (path === "/") await page.goto(path);
    await expectLive(page);
    const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Pricing" });
    await link.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/#pricing");
    await expect(page.locator("#pricing")).toBeInViewport();
    await expect(page.locator("#pricing")).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(page.locator("#pricing :focus")).toHaveCount(1);
  }

  const response = await page.goto("/no/such/page");
  expect(response?.status()).toBe(404);
  await expect(page).toHaveTitle(/404 Page Not Found/);
  await page.getByRole("main").getByRole("link").first().click();
  await page.waitForURL("**/");
});

test("pages say that the browser is offline for as long as it is, below a toast", async ({ page }) => {
  await signInAs(page, "vip@academy.test", "/profile");
  for (const path of ["/profile", "/contact"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectLive(page);
    const bar = page.getByRole("status").filter({ hasText: "You're offline." });
    await expect(bar).toHaveCount(0);
    await page.context().setOffline(true);
    await expect(bar).toBeVisible();
    if (path === "/contact") {
      await page.setViewportSize({ width: 390, height: 500 });
      await expectFocusVisible(page, bar, 15);
      await page.getByRole("link", { name: "What the course covers" }).evaluate((next: HTMLElement) => {
        next.focus({ preventScroll: true });
        window.scrollBy({ top: next.getBoundingClientRect().top - 90, behavior: "instant" });
      });
      await expectFocusVisible(page, page.getByRole("banner"), 1, "Shift+Tab");
      await expectAccessible(page);
    }
    await page.context().setOffline(false);
    await expect(bar).toHaveCount(0);
  }

  await page.context().clearCookies();
  // The form sends nothing faster than people write.
  await page.clock.install();
  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 700 });
    await page.goto("/contact");
    await expectLive(page);
    await fillContactForm(page);
    await expect(page.locator("main astro-island[ssr]")).toHaveCount(0);
    await page.getByLabel("Name").focus();
    await page.waitForLoadState("networkidle");
    await page.clock.fastForward(20_000);
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Send Message" }).click();
    const toast = page.getByRole("alert").filter({ hasText: "Failed to send message." });
    const line = page.getByRole("status").filter({ hasText: "You're offline." });
    await expect
      .poll(async () => {
        const [above, below] = await Promise.all([toast.boundingBox(), line.boundingBox()]);
        return (below?.y ?? 0) - ((above?.y ?? 0) + (above?.height ?? 0));
      })
      .toBeGreaterThan(0);
    await page.context().setOffline(false);
  }
});

/** The chosen plan in this browser's storage. */
function keptPlan(page: Page): Promise<(string | null)[]> {
  return page.evaluate(() =>
    ["planTier", "planPriceId", "planPrice", "planName", "planCode"].map((key) => localStorage.getItem(key)),
  );
}
