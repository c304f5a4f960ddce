import type { Page } from "@playwright/test";
import { drawn, expect, expectAccessible, signInAs, test } from "./academy.ts";

test("pages tell that the sign-in has ended or is another user's, offer to sign in, and keep typed text", async ({
  page,
  context,
}) => {
  await signInAs(page, "premium@academy.test", "/profile");
  await expectLoaded(page);
  await context.clearCookies();
  await page.getByRole("link", { name: "Manage membership" }).click();
  await expect(page.getByRole("main")).toContainText("Your sign-in has ended.");
  await expectAccessible(page);
  await expect(page.getByRole("main").getByRole("link", { name: "Sign in" })).toHaveAttribute(
    "href",
    "/api/login?returnTo=%2Fmembership",
  );

  await signInAs(page, "admin@academy.test", "/admin");
  await expect(page.getByRole("table", { name: "Users" })).toBeVisible();
  await expectLoaded(page);
  await context.clearCookies();
  await page.getByRole("tab", { name: "Purchases" }).click();
  await page.getByRole("alert").getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Continue as admin@academy.test" }).click();
  await page.waitForURL("**/admin?tab=purchases");
  await expect(page.getByRole("table")).toBeVisible();

  // Another user signs in meanwhile.
  await signInAs(page, "premium@academy.test", "/profile");
  await expectLoaded(page);
  await signInAs(await context.newPage(), "basic@academy.test");
  await page.getByRole("link", { name: "Manage membership" }).click();
  const main = page.getByRole("main");
  await expect(main.getByText("You're now signed in as basic@academy.test.")).toBeVisible();

  // A request on hover would replace the failure, and the link with it, by the page's outline.
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await main.getByRole("link", { name: "Reload" }).hover();
  await drawn(page);
  expect(requests).toEqual([]);
  await main.getByRole("link", { name: "Reload" }).click();
  await expect(page.getByText("Monthly Access").first()).toBeVisible();

  // Signing out in another tab keeps what was typed, and the bar offers to sign in.
  const email = "premium@academy.test";
  await signInAs(page, email, "/dashboard?lesson=lesson-1-1&at=12");
  const bar = page.getByRole("banner");
  await page.getByRole("button", { name: "Notes", exact: true }).click();
  await page.getByRole("button", { name: "Add a note" }).click();
  const note = page.getByRole("textbox", { name: "Note at 0:12" });
  await note.fill("Ask about the third fee");
  // A controlled browser treats all tabs as focused, so the test dispatches the event of returning to this one.
  const comeBack = () => page.evaluate(() => window.dispatchEvent(new Event("focus")));

  await page.request.get("/api/logout");
  await comeBack();
  await expect(bar.getByText("Your sign-in has ended.")).toBeVisible();
  await expect(bar.getByRole("link", { name: "Logout" })).toHaveCount(0);
  await expect(note).toHaveValue("Ask about the third fee");
  await expectAccessible(page);

  await signInAs(await context.newPage(), email);
  await comeBack();
  await expect(bar.getByRole("link", { name: "Logout" })).toBeVisible();
  await expect(bar.getByText("Your sign-in has ended.")).toHaveCount(0);

  await page.request.get("/api/logout");
  await comeBack();
  await bar.getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("button", { name: `Continue as ${email}` }).click();
  await expect(note).toHaveValue("Ask about the third fee");
});

/** Waits until no request is pending that could be refused before the next click. */
async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator(".skeleton")).toHaveCount(0);
}
