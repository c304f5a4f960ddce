import type { Page } from "@playwright/test";
import { expect, expectLive, test } from "../academy.ts";
import { fillContactForm } from "../forms.ts";

const vip = "/signup?tier=vip&priceId=vip_lifetime&price=1497";

test("sign-up needs no script file, and shows the plan of the link or of an earlier visit", async ({
  page,
  context,
}) => {
  await page.goto(`${vip}&plan=You%20have%20won%20a%20prize`);
  await expect(page.getByRole("heading", { name: "Lifetime Access" })).toBeVisible();
  await expect(page.getByText("won a prize")).toHaveCount(0);
  await page.goto("/signup?tier=vip&priceId=vip_lifetime&price=a%20prize");
  await expect(page.getByRole("heading", { name: "No plan chosen yet" })).toBeVisible();

  await page.route("**/assets/*.js", (route) => route.abort());
  await page.goto(vip);
  const signIn = page.getByRole("main").getByRole("link", { name: "Sign in" });
  const create = page.getByRole("button", { name: "Create account" });
  await expect(signIn).toHaveAttribute("href", /checkout.*vip_lifetime/);
  await context.setOffline(true);
  await create.click();
  await expect(page.getByText("Failed to start sign up process. Please try again.")).toBeVisible();
  await context.setOffline(false);

  const notice = page.getByText("The price in your link is out of date. Annual Access costs $397 now.");
  await page.goto("/signup?tier=premium&priceId=premium_annual&price=397");
  await expect(notice).toBeHidden();
  await page.goto("/signup?tier=premium&priceId=premium_annual&price=299&plan=Annual%20Access");
  await expect(notice).toBeVisible();
  await expect(signIn).toHaveAttribute("href", /premium_annual.*397/);

  await page.evaluate(() => {
    const saved = { planTier: "vip", planPriceId: "vip_lifetime", planPrice: "1497", planName: "Lifetime Access" };
    for (const [key, value] of Object.entries(saved)) localStorage.setItem(key, value);
  });
  await page.goto("/signup");
  await expect(page.getByRole("heading", { name: "Lifetime Access" })).toBeVisible();
  await create.click();
  await page.waitForURL("**/issuer/**");
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Continue as new@academy.test" }).click();
  await page.waitForURL("**/checkout?tier=vip&priceId=vip_lifetime&name=Lifetime%20Access&price=1497");
});

test("without scripts the landing page, its menu and plans work, a preview plays, and others offer a way", async ({
  browser,
  academy,
}) => {
  const context = await browser.newContext({ baseURL: academy.url, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/");
  for (const id of ["hero", "course", "instructor", "testimonials", "pricing", "faq"]) {
    await expect(page.locator(`#${id}`)).toHaveCount(1);
  }
  const plans = page.locator("#pricing");
  for (const price of ["$49", "$397", "$1497"]) await expect(plans.getByText(price, { exact: true })).toBeVisible();
  const curriculum = page.getByRole("region", { name: "Lesson by lesson" });
  await expect(curriculum.getByRole("listitem").filter({ hasText: "Your First $200" })).toContainText("Sample, 0:41");
  await expect(curriculum.getByText("Clearance Aisles and Markdown Days")).toBeHidden();
  await curriculum.getByText("Store Scanning Mastery").click();
  await expect(curriculum.getByText("Clearance Aisles and Markdown Days")).toBeVisible();
  await expect(
    curriculum.getByText("4 sample lessons, 2:39 total. Opens with Monthly Access and above."),
  ).toBeVisible();
  await curriculum.getByRole("link", { name: "Watch free: Scan Your First Shelf" }).click();
  await page.waitForURL("**/demo-dashboard?lesson=lesson-2-1");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  const menu = page.getByRole("navigation", { name: "Menu" });
  await expect(menu).toBeHidden();
  await page.locator("header summary").click();
  for (const name of ["Course", "Instructor", "Reviews", "Pricing", "Contact", "Login", "Sign Up", "Enroll Now"]) {
    await expect(menu.getByRole("link", { name, exact: true })).toBeVisible();
  }
  await page.goto("/");
  await page.locator("#pricing").getByRole("button", { name: "Start Monthly" }).click();
  await page.waitForURL("**/signup?tier=basic&priceId=basic_monthly&price=49");
  await expect(page.getByRole("heading", { level: 2 }).first()).toHaveText("Monthly Access");
  await expect(page.getByText("$49", { exact: true })).toBeVisible();
  await expect(page.getByText("$397", { exact: true })).toBeHidden();
  await page.goto("/signup?tier=vip&priceId=vip_lifetime&price=a%20prize");
  await expect(page.getByRole("heading", { name: "No plan chosen yet" })).toBeVisible();
  await expect(page.getByText("$1497", { exact: true })).toBeHidden();
  await page.goBack();
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText("Next, you pay for Monthly Access.")).toBeVisible();
  await page.getByRole("link", { name: "Create account" }).click();
  await expect(page.getByLabel("First name")).toBeFocused();
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Continue as new@academy.test" }).click();
  await page.waitForURL("**/checkout?tier=basic&priceId=basic_monthly&name=Monthly%20Access&price=49");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Paying by card needs JavaScript.");
  await expect(page.getByRole("paragraph").first()).toContainText("You haven't been charged.");
  await page.getByRole("main").getByRole("link", { name: "Contact" }).click();
  await page.waitForURL("**/contact");
  await context.clearCookies();
  await page.goto("/contact");
  await fillContactForm(page);
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Message sent");
  await page.getByRole("link", { name: "Back to the contact page" }).click();
  await page.getByRole("button", { name: "Send Message" }).click();
  // The browser itself validates the form.
  await expect(page.getByLabel("Name")).toBeFocused();
  await expect(page).toHaveURL("/contact");
  await page.goto("/demo-dashboard");
  await expect(page.getByRole("heading", { name: "Modules" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Not in your plan yet" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Play: / })).toBeHidden();
  await expect(page.locator("video")).toBeVisible();
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This page needs JavaScript.");
  const main = page.getByRole("main");
  await expect(main.getByRole("link", { name: "Academy, home" })).toBeVisible();
  await expect(main.getByRole("link", { name: "Home", exact: true })).toHaveAttribute("href", "/");
  await expect(main.getByRole("link", { name: "Contact" })).toHaveAttribute("href", "/contact");
  await main.getByRole("link", { name: "Sign in" }).click();
  await expect(page.getByLabel("Password")).toBeVisible();
  await context.close();
});

test("the bar and Enroll Now follow the scrolling, only prices load scripts, and a phone's menu closes", async ({
  page,
  academy,
}) => {
  const scripts: string[] = [];
  page.on("response", (response) => response.url().endsWith(".js") && scripts.push(response.url()));
  await page.goto("/");
  await page.waitForLoadState("networkidle");
  expect(scripts).toEqual([]);
  const bar = page.locator("header").first();
  const ground = () => bar.evaluate((element) => getComputedStyle(element).backgroundColor);
  const floating = page.locator("main > a", { hasText: "Enroll Now" });
  const clear = await ground();
  await scrollTo(page, 10);
  expect(await ground()).toBe(clear);
  await scrollTo(page, 11);
  await expect.poll(ground).not.toBe(clear);
  await scrollTo(page, 500);
  await expect(floating).toHaveCount(0);
  await scrollTo(page, 501);
  await floating.click();
  await page.waitForURL("**/#pricing");
  await expect(page.locator("#pricing")).toBeInViewport();
  await expect(floating).toBeHidden();
  await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
  await expect(page.getByRole("link", { name: "Enroll Now" }).last()).toBeVisible();
  await expect(page.locator("astro-island:not([ssr]) #pricing")).toHaveCount(1);
  await page.waitForLoadState("networkidle");
  expect(scripts.length).toBeGreaterThan(2);
  for (const coding of ["br", "gzip"]) {
    const sizes = scripts.map(async (url) => {
      expect(url).toContain(academy.url);
      const { headers } = await fetch(url, { method: "HEAD", headers: { "accept-encoding": coding } });
      return Number(headers.get("content-length"));
    });
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(total, coding).toBeLessThanOrEqual(95_000);
  }

  // A phone's menu is closed by Escape, a click outside and its links, even while their page loads.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/signup");
  await expectLive(page);
  const menu = page.getByRole("navigation", { name: "Menu" });
  const toggle = page.locator("header summary");
  await toggle.click();
  await expect(menu).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(toggle).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(menu).toBeVisible();
  await page.mouse.click(200, 830);
  await expect(menu).toBeHidden();
  // With 204 the browser stays on the page.
  await page.route(/\/$/, (route) => route.fulfill({ status: 204 }));
  await toggle.click();
  await menu.getByRole("link", { name: "Reviews" }).click();
  await expect(menu).toBeHidden();
  await page.unroute(/\/$/);
  await toggle.click();
  await menu.getByRole("link", { name: "Reviews" }).click();
  await page.waitForURL("**/#testimonials");
  await expect(page.locator("#testimonials")).toBeInViewport();
});

test("a checkout whose scripts do not run tells an old browser from a bad connection", async ({ page }) => {
  const connection = page.getByText("This page is taking a long time to load. Check your connection");
  const age = page.getByText(
    "This browser is too old. The academy needs Safari or iOS 16.4, Firefox 121, Chrome or Edge 111, or newer.",
  );
  const open = async () => {
    await page.goto("/checkout?tier=vip&priceId=vip_lifetime&name=Lifetime%20Access&price=1497");
    await expect(page.getByRole("status").getByText("Loading")).toBeVisible();
  };
  await page.route("**/assets/*.js", (route) => route.abort());
  await open();
  await expect(connection).toBeHidden();
  // Skips the delay of the CSS animation.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish();
    }
  });
  await expect(connection).toBeVisible();

  await page.unroute("**/assets/*.js");
  await page.route("**/assets/*.js", (route) =>
    route.fulfill({ contentType: "text/javascript", body: "syntax of the future" }),
  );
  await open();
  await expect(age).toHaveCount(1);

  await page.unroute("**/assets/*.js");
  await page.addInitScript(() => {
    Reflect.deleteProperty(String.prototype, "isWellFormed");
  });
  await page.route("**/assets/*.js", (route) => route.abort());
  await open();
  await expect(age).toHaveCount(1);

  // Its scripts run, but not those of the page.
  await page.unroute("**/assets/*.js");
  await page.route("**/assets/checkout-*.js", (route) => route.abort());
  await page.goto("/checkout?tier=vip&priceId=vip_lifetime&name=Lifetime%20Access&price=1497");
  await expect(page.getByRole("heading", { name: "This page didn't load" })).toBeVisible();
  await expect(age).toBeVisible();
});

async function scrollTo(page: Page, top: number): Promise<void> {
  await page.evaluate((top) => {
    window.scrollTo({ top, behavior: "instant" });
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, top);
}
