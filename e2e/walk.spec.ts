import { randomBytes } from "node:crypto";
import { expect, fillCard, playLesson, test } from "./academy.ts";
import { watchConsole } from "./console.ts";

test("from the landing page to a paying student who watches a lesson, with an event for each step", async ({
  page,
  academy,
}) => {
  const console_ = watchConsole(page);
  await page.addInitScript(() => {
    window.addEventListener("academy:analytics", (event) => {
      const { name, payload } = (event as CustomEvent<{ name: string; payload: { path?: string } }>).detail;
      const kept = sessionStorage.getItem("announced") ?? "";
      sessionStorage.setItem("announced", `${kept}${[name, payload.path].filter(Boolean).join(" ")}, `);
    });
  });
  const email = `walker-${randomBytes(4).toString("hex")}@example.test`;

  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const pricing = page.locator("#pricing");
  await expect(pricing.getByText("$397", { exact: false }).first()).toBeVisible();
  await pricing.getByRole("button").nth(1).click();

  await page.waitForURL("**/signup?tier=premium&priceId=premium_annual&price=397");
  await page.getByRole("main").getByRole("button", { name: "Create account" }).click();

  await page.getByLabel("First name").fill("Willa");
  await page.getByLabel("Last name").fill("Walker");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("plywood-lantern-42");
  await page.getByRole("button", { name: "Create account" }).click();

  await page.waitForURL((url) => url.pathname === "/checkout" && url.searchParams.get("tier") === "premium");
  expect(await page.evaluate(() => localStorage.getItem("planTier"))).toBe("premium");
  await expect(page.getByLabel("First Name")).toHaveValue("Willa");
  await fillCard(page);
  await page.getByRole("button", { name: /^Pay/ }).click();
  await expect(page.getByText("Payment Successful!").first()).toBeVisible();
  await page.getByRole("link", { name: "Go to dashboard now" }).click();
  await page.waitForURL("**/dashboard");
  expect(await page.evaluate(() => localStorage.getItem("planTier"))).toBeNull();

  const video = await playLesson(page);
  await video.evaluate((element: HTMLVideoElement) => {
    element.muted = true;
    return element.play();
  });
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0.5);
  const saved = page.waitForResponse(
    (response) =>
      response.url().endsWith("/api/user/progress") && response.request().method() === "POST" && response.ok(),
  );
  await video.evaluate((element: HTMLVideoElement) => element.pause());
  await saved;
  await expect
    .poll(() => page.evaluate(() => sessionStorage.getItem("announced")))
    .toMatch(/add-to-cart, view-content, initiate-checkout, purchase, page-view \/dashboard, /);

  await academy.mailTo({ email }, "Your Annual Access is ready");
  console_.expectEmpty();
});
